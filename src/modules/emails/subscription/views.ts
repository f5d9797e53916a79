import { page } from '../../../kit/html/layout.ts'
import { html, type PageAnswer } from '../../../kit/html/page.ts'
import type { PreferencesOutcome, SubscriptionPage } from './preferences.ts'
import type { SubscriptionView } from './sql.ts'
import { wordingFor } from './wording.ts'

/** The answer to a GET: a question with a button, because opening a link must change nothing (email scanners open links). */
export function confirmPage(which: SubscriptionPage, view: SubscriptionView): PageAnswer {
  const { language, words } = wordingFor(view.locale, view.language)
  const fill = fillerFor(view)
  const offered = which === 'manage' ? !view.subscribed : which === 'subscribe'
  const text = which === 'manage' ? (view.subscribed ? words.manage.subscribed : words.manage.unsubscribed) : words[which].question
  return page({
    title: words[which].title,
    language,
    body: html`<h1>${words[which].title}</h1><p>${fill(text)}</p>${button(offered, words)}`,
  })
}

/** The answer to a POST. */
export function outcomePage(page: SubscriptionPage, outcome: PreferencesOutcome): PageAnswer {
  if (outcome.kind === 'unknown') return unknownLinkPage()
  if (outcome.kind === 'one-click') return oneClickAnswer()
  return outcome.kind === 'changed' ? resultPage(outcome.contact) : confirmPage(page, outcome.contact)
}

// The subscription as it is now, and a button that reverts it.
function resultPage(view: SubscriptionView): PageAnswer {
  const { language, words } = wordingFor(view.locale, view.language)
  const done = view.subscribed ? words.subscribe : words.unsubscribe
  return page({
    title: done.title,
    language,
    body: html`<h1>${done.title}</h1><p role="status">${fillerFor(view)(done.done)}</p>${button(!view.subscribed, words)}`,
  })
}

/** The answer to a link that is forged or incomplete, or whose contact was deleted. */
export function unknownLinkPage(): PageAnswer {
  const { language, words } = wordingFor()
  return page({
    title: words.notFound.title,
    language,
    status: 404,
    body: html`<h1>${words.notFound.title}</h1><p>${words.notFound.text}</p>`,
  })
}

// To a one-click unsubscription by a mail program (RFC 8058).
function oneClickAnswer(): PageAnswer {
  return { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }, body: 'Unsubscribed' }
}

function button(subscribe: boolean, words: ReturnType<typeof wordingFor>['words']) {
  const { action } = subscribe ? words.subscribe : words.unsubscribe
  return html`<form method="post"><button name="subscribed" value="${String(subscribe)}">${action}</button></form>`
}

function fillerFor({ email, project }: SubscriptionView): (text: string) => string {
  return (text) => text.replaceAll('{email}', () => email).replaceAll('{project}', () => project)
}
