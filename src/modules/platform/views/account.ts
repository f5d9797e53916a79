import { page } from '../../../kit/html/layout.ts'
import { html, type Markup, type PageAnswer } from '../../../kit/html/page.ts'
import type { InvitationView } from '../../projects/members/shapes.ts'

/** What was wrong with what somebody typed: a sentence, and the status it is answered with. */
export interface Wrong {
  sentence: string
  status: number
}

/** Asks whether the address shall be confirmed: opening the link must do nothing, as mail scanners open every link. */
export function verifyPage(): PageAnswer {
  const title = 'Confirm your email address'
  return page({
    title,
    body: html`<h1>${title}</h1><p>One more click, and we know that this address is yours.</p>${button('Confirm my address')}`,
  })
}

/** Asks for a new password, twice. */
export function resetPage(wrong?: Wrong): PageAnswer {
  const title = 'Choose a new password'
  const fields = html`${passwordField('newPassword', 'New password', 'new-password', wrong)}${passwordField('repeated', 'The same again', 'new-password', wrong)}`
  return form({ title, wrong, body: html`<p>Every device that is signed in is signed out.</p>`, fields, action: 'Set the password' })
}

/** Shows an invitation to who is signed in with the invited address. */
export function joinPage(view: InvitationView, wrong?: Wrong): PageAnswer {
  return form({ title: titleOf(view), wrong, body: invited(view), fields: html``, action: `Join ${view.projectName}` })
}

/** Shows an invitation to somebody who is not signed in: with a password for the account there is, or for the new one. */
export function enterPage(view: InvitationView, wrong?: Wrong): PageAnswer {
  const account = html`<input type="hidden" name="username" autocomplete="username" value="${view.email}">`
  const known = html`${account}${passwordField('password', `Password of ${view.email}`, 'current-password', wrong)}`
  const fresh = html`${account}${passwordField('password', 'A password for your new account', 'new-password', wrong)}${passwordField('repeated', 'The same again', 'new-password', wrong)}`
  const fields = view.hasAccount ? known : fresh
  return form({
    title: titleOf(view),
    wrong,
    body: invited(view),
    fields,
    action: view.hasAccount ? 'Sign in and join' : 'Make an account and join',
  })
}

/** Tells somebody who is signed in that the invitation is somebody else's, and offers to sign out. */
export function otherAccountPage(view: InvitationView, signedIn: string): PageAnswer {
  const body = html`${invited(view)}<p>You are signed in as ${signedIn}.</p>`
  return form({ title: titleOf(view), body, fields: html`<input type="hidden" name="do" value="sign-out">`, action: 'Sign out and go on' })
}

/** Says that something was done, and where to go on. */
export function donePage({ title, text, home }: { title: string; text: string; home: string }): PageAnswer {
  return page({ title, body: html`<h1>${title}</h1><p role="status">${text}</p><p><a href="${home}">Go on</a></p>` })
}

/** Says that something cannot be done, and what to do instead. */
export function sorryPage({ title, text, status, home }: { title: string; text: string; status: number; home: string }): PageAnswer {
  return page({ title, status, body: html`<h1>${title}</h1><p role="alert">${text}</p><p><a href="${home}">Go back</a></p>` })
}

function titleOf({ projectName }: InvitationView): string {
  return `Join ${projectName}`
}

function invited({ projectName, role, email }: InvitationView): Markup {
  return html`<p>You are invited to the project <strong>${projectName}</strong> as ${role.toLowerCase()}, with the address ${email}.</p>`
}

interface FormView {
  title: string
  body: Markup
  fields: Markup
  action: string
  wrong?: Wrong | undefined
}

function form({ title, body, fields, action, wrong }: FormView): PageAnswer {
  const alert = wrong && html`<p role="alert" id="wrong">${wrong.sentence}</p>`
  return page({
    title: wrong ? `Please correct: ${title}` : title,
    status: wrong?.status ?? 200,
    body: html`<h1>${title}</h1>${body}${alert}<form method="post">${fields}<button>${action}</button></form>`,
  })
}

function button(words: string): Markup {
  return html`<form method="post"><button>${words}</button></form>`
}

function passwordField(name: string, label: string, autocomplete: string, wrong: Wrong | undefined): Markup {
  const length = autocomplete === 'new-password' && html` minlength="8" maxlength="200"`
  const marks = wrong && html` aria-invalid="true" aria-describedby="wrong"`
  return html`<label for="${name}">${label}</label><input id="${name}" name="${name}" type="password" autocomplete="${autocomplete}" required${length || ''}${marks}>`
}
