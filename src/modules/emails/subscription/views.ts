import { page } from '../../../kit/html/layout.ts'
import { html, type Markup, type PageAnswer, type PageRequest } from '../../../kit/html/page.ts'
import type { Wording } from './languages/wording.ts'
import type { PreferencesOutcome, SubscriptionPage } from './preferences.ts'
import type { SubscriptionView } from './sql.ts'
import { wordingFor } from './wording.ts'

/**
 * The answer to a GET: a question with a button, because opening a link must change nothing (email scanners open links). Where
 * there is nothing to do any more, it says so.
 */
export function confirmPage(which: SubscriptionPage, view: SubscriptionView): PageAnswer {
  const wording = wordingFor(view.locale, view.language)
  const { words } = wording
  const isDone = which === 'manage' || (which === 'subscribe' ? view.subscribed : view.optedOut)
  const state = view.subscribed ? words.manage.subscribed : words.manage.unsubscribed
  const text = fillerFor(view)(isDone ? state : words[which].question)
  return shownIn(
    wording,
    (isDone ? words.manage : words[which]).title,
    html`<p>${text}</p>${button(isDone ? changeOf(view) : which, words, isDone && which !== 'manage' ? 'secondary' : 'primary')}`,
  )
}

/** The answer to a POST. */
export function outcomePage(page: SubscriptionPage, outcome: PreferencesOutcome, headers: PageRequest['headers']): PageAnswer {
  if (outcome.kind === 'unknown') return unknownLinkPage(headers)
  if (outcome.kind === 'one-click') return oneClickAnswer()
  return outcome.kind === 'changed' ? resultPage(outcome.contact) : confirmPage(page, outcome.contact)
}

// The subscription as it is now, and a button that reverts it.
function resultPage(view: SubscriptionView): PageAnswer {
  const wording = wordingFor(view.locale, view.language)
  const { words } = wording
  const done = view.subscribed ? words.subscribe : words.unsubscribe
  const body = html`<p role="status">${fillerFor(view)(done.done)}</p>${button(changeOf(view), words, 'secondary')}`
  return shownIn(wording, done.title, body)
}

/** The answer to a link that is forged or incomplete, or whose contact was deleted, in a language of the browser. */
export function unknownLinkPage(headers: PageRequest['headers']): PageAnswer {
  const wording = wordingOf(headers)
  const { title, text } = wording.words.notFound
  return { ...shownIn(wording, title, html`<p>${text}</p>`), status: 404 }
}

/** The answer to a tracked link on the link host of a domain that its email was not sent from, in a language of the browser: where it leads. */
export function foreignLinkPage(target: string, headers: PageRequest['headers']): PageAnswer {
  const wording = wordingOf(headers)
  const { title, text } = wording.words.foreignLink
  const address = new URL(target).href
  return shownIn(wording, title, html`<p>${text}</p><p><a href="${address}" rel="noreferrer nofollow">${address}</a></p>`)
}

function wordingOf(headers: PageRequest['headers']): ReturnType<typeof wordingFor> {
  const accepted = headers['accept-language']?.split(',') ?? []
  return wordingFor(...accepted.map((range) => range.split(';')[0]?.trim()))
}

function shownIn({ language, words }: { language: string; words: Wording }, title: string, body: Markup): PageAnswer {
  return page({ title, language, direction: words.direction, body: html`<h1>${title}</h1>${body}` })
}

// To a one-click unsubscription by a mail program (RFC 8058).
function oneClickAnswer(): PageAnswer {
  return { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }, body: 'Unsubscribed' }
}

// What reverts the subscription as it is now.
const changeOf = ({ subscribed }: SubscriptionView) => (subscribed ? 'unsubscribe' : 'subscribe')

// Secondary where it reverts what the link is for.
function button(what: 'subscribe' | 'unsubscribe', words: Wording, look: 'primary' | 'secondary'): Markup {
  const { action } = words[what]
  return html`<form method="post"><button class="${look}" name="subscribed" value="${String(what === 'subscribe')}">${action}</button></form>`
}

function fillerFor({ email, project }: SubscriptionView): (text: string) => string {
  return (text) => text.replace(/\{(email|project)\}/g, (_placeholder, name) => (name === 'email' ? email : project))
}
