import { page } from '../../../kit/html/layout.ts'
import { html, type Markup, type PageAnswer } from '../../../kit/html/page.ts'
import type { InvitationView } from '../../projects/members/shapes.ts'
import type { OpenedInvitation } from '../account.ts'

/** An error shown above a form: a sentence, and the HTTP status of the answer. */
export interface FormError {
  sentence: string
  status: number
}

/**
 * Asks to confirm an address, and for a new password unless the visitor is signed in to its account. Opening the link must
 * change nothing, because email scanners open every link.
 */
export function verifyPage({ needsPassword }: { needsPassword: boolean }, error?: FormError): PageAnswer {
  const sentence = needsPassword
    ? 'You are not signed in to this account here: choose its password. Whoever is signed in to it is signed out.'
    : 'Click the button to confirm that this address is yours.'
  return form({
    title: 'Confirm your email address',
    error,
    body: html`<p>${sentence}</p>`,
    fields: needsPassword ? twoPasswords(error) : html``,
    action: 'Confirm my address',
  })
}

/** Asks for a new password, twice. */
export function resetPage(error?: FormError): PageAnswer {
  const title = 'Choose a new password'
  return form({
    title,
    error,
    body: html`<p>This signs you out on every device.</p>`,
    fields: twoPasswords(error),
    action: 'Set the password',
  })
}

function twoPasswords(error: FormError | undefined): Markup {
  return html`${passwordField('newPassword', 'New password', 'new-password', error)}${passwordField('repeated', 'Repeat the password', 'new-password', error)}`
}

/** Shows an invitation to whoever has its link; `error` stands above its form. */
export function invitationPage({ invitation, caller, signedIn }: OpenedInvitation, error?: FormError): PageAnswer {
  if (caller === 'visitor') return signInPage(invitation, error)
  return caller === 'invited' ? joinPage(invitation, error) : otherAccountPage(invitation, signedIn, error)
}

// For a user who is signed in with the invited address.
function joinPage(view: InvitationView, error?: FormError): PageAnswer {
  return form({ title: titleOf(view), error, body: invited(view), fields: html``, action: `Join ${view.projectName}` })
}

// For a visitor: asks for the password of the existing account, or for one for a new account.
function signInPage(view: InvitationView, error?: FormError): PageAnswer {
  const account = html`<input type="hidden" name="username" autocomplete="username" value="${view.email}">`
  const existing = html`${account}${passwordField('password', `Password of ${view.email}`, 'current-password', error)}`
  const fresh = html`${account}${passwordField('password', 'Password for your new account', 'new-password', error)}${passwordField('repeated', 'Repeat the password', 'new-password', error)}`
  const fields = view.hasAccount ? existing : fresh
  return form({
    title: titleOf(view),
    error,
    body: invited(view),
    fields,
    action: view.hasAccount ? 'Sign in and join' : 'Create an account and join',
  })
}

// The signed-in user has another address than the invited one, and may sign out.
function otherAccountPage(view: InvitationView, signedIn: string, error?: FormError): PageAnswer {
  const body = html`${invited(view)}<p>You are signed in as ${signedIn}.</p>`
  return form({
    title: titleOf(view),
    error,
    body,
    fields: html`<input type="hidden" name="do" value="sign-out">`,
    action: 'Sign out and continue',
  })
}

/** Confirms that something was done, with a link to continue. */
export function donePage({ title, text, home }: { title: string; text: string; home: string }): PageAnswer {
  return page({ title, body: html`<h1>${title}</h1><p role="status">${text}</p><p><a href="${home}">Continue</a></p>` })
}

function titleOf({ projectName }: InvitationView): string {
  return `Join ${projectName}`
}

function invited({ projectName, role, email }: InvitationView): Markup {
  return html`<p>You are invited to the project <strong>${projectName}</strong> as ${role.toLowerCase()}, at the address ${email}.</p>`
}

interface FormView {
  title: string
  body: Markup
  fields: Markup
  action: string
  error?: FormError | undefined
}

function form({ title, body, fields, action, error }: FormView): PageAnswer {
  const alert = error && html`<p role="alert" id="error">${error.sentence}</p>`
  return page({
    title: error ? `Please correct: ${title}` : title,
    status: error?.status ?? 200,
    body: html`<h1>${title}</h1>${body}${alert}<form method="post">${fields}<button>${action}</button></form>`,
  })
}

function passwordField(name: string, label: string, autocomplete: string, error: FormError | undefined): Markup {
  const length = autocomplete === 'new-password' && html` minlength="8" maxlength="200"`
  const errorAttributes = error && html` aria-invalid="true" aria-describedby="error"`
  return html`<label for="${name}">${label}</label><input id="${name}" name="${name}" type="password" autocomplete="${autocomplete}" required${length || ''}${errorAttributes}>`
}
