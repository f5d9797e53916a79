import type { Ctx } from '../../kit/context.ts'
import { Failure } from '../../kit/errors.ts'
import { homeOf } from '../../kit/home.ts'
import type { PageAnswer, PageRequest } from '../../kit/html/page.ts'
import { read } from '../../kit/problems.ts'
import { acceptInvitation } from '../auth/accounts/invitation.ts'
import { logOut } from '../auth/accounts/login.ts'
import { checkPasswordReset, resetPassword } from '../auth/accounts/passwords.ts'
import { checkVerification, verifyEmail } from '../auth/accounts/signup.ts'
import { InvitationAnswer, PasswordReset } from '../auth/shapes.ts'
import { getInvitation } from '../projects/members/invitations.ts'
import { donePage, errorPage, type FormError, joinPage, otherAccountPage, resetPage, signInPage, verifyPage } from './views/account.ts'

/** Shows the page of a link that verifies an email address; changes nothing. */
export async function showVerification(ctx: Ctx, { params }: PageRequest): Promise<PageAnswer> {
  return orLinkError(ctx, async () => {
    await checkVerification(ctx, { token: params.token ?? '' })
    return verifyPage()
  })
}

/** Verifies an email address by the button of its page. */
export async function submitVerification(ctx: Ctx, { params }: PageRequest): Promise<PageAnswer> {
  return orLinkError(ctx, async () => {
    const { message: text } = await verifyEmail(ctx, { token: params.token ?? '' })
    return donePage({ title: 'Thank you', text, home: homeOf(ctx.world) })
  })
}

/** Shows the form of a link that resets a password; changes nothing. */
export async function showReset(ctx: Ctx, { params }: PageRequest): Promise<PageAnswer> {
  return orLinkError(ctx, async () => {
    await checkPasswordReset(ctx, { token: params.token ?? '' })
    return resetPage()
  })
}

/** Sets a new password by the form of its page. */
export async function submitReset(ctx: Ctx, request: PageRequest): Promise<PageAnswer> {
  const token = request.params.token ?? ''
  return orLinkError(ctx, async () => {
    await checkPasswordReset(ctx, { token })
    return orFormAgain(resetPage, async () => {
      requireSameTwice(request.body.newPassword, request.body.repeated)
      const { message: text } = await resetPassword(ctx, read(PasswordReset, { ...request.body, token }))
      return donePage({ title: 'Done', text, home: homeOf(ctx.world) })
    })
  })
}

/** Shows an invitation to whoever has its link; changes nothing. */
export async function showInvitation(ctx: Ctx, { params }: PageRequest): Promise<PageAnswer> {
  return orLinkError(ctx, async () => {
    const view = await getInvitation(ctx, { token: params.token ?? '' })
    const { actor } = ctx
    if (actor.kind !== 'user') return signInPage(view)
    return actor.email === view.email ? joinPage(view) : otherAccountPage(view, actor.email)
  })
}

/** Accepts an invitation by the form of its page, or signs out a user with another address. */
export async function submitInvitation(ctx: Ctx, request: PageRequest): Promise<PageAnswer> {
  const token = request.params.token ?? ''
  if (request.body.do === 'sign-out') {
    await logOut(ctx)
    return { status: 303, headers: { Location: `/invitations/${encodeURIComponent(token)}`, 'Cache-Control': 'no-store' }, body: '' }
  }
  return orLinkError(ctx, async () => {
    const view = await getInvitation(ctx, { token })
    const again = (error: FormError) => (ctx.actor.kind === 'user' ? joinPage(view, error) : signInPage(view, error))
    return orFormAgain(again, async () => {
      if (ctx.actor.kind !== 'user' && !view.hasAccount) requireSameTwice(request.body.password, request.body.repeated)
      await acceptInvitation(ctx, read(InvitationAnswer, { token, password: request.body.password }))
      return donePage({ title: 'Welcome', text: `You are now a member of ${view.projectName}.`, home: homeOf(ctx.world) })
    })
  })
}

function requireSameTwice(password: string | undefined, repeated: string | undefined): void {
  if (password !== repeated) throw new Failure('VALIDATION_ERROR', 'The two passwords are different: type them again.')
}

/** Answers with an error page when a link is invalid or has expired; other failures are thrown. */
async function orLinkError({ world }: Ctx, work: () => Promise<PageAnswer>): Promise<PageAnswer> {
  return work().catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'BAD_REQUEST') throw error
    const text = [error.message, error.suggestion].filter(Boolean).join(' ')
    return errorPage({ title: 'This link no longer works', text, status: 404, home: homeOf(world) })
  })
}

// Errors that people can correct are shown above the form they filled in.
const correctable = ['VALIDATION_ERROR', 'INVALID_CREDENTIALS', 'FORBIDDEN', 'RATE_LIMIT_EXCEEDED', 'CONFLICT']

async function orFormAgain(form: (error: FormError) => PageAnswer, work: () => Promise<PageAnswer>): Promise<PageAnswer> {
  return work().catch((error: unknown) => {
    if (!(error instanceof Failure) || !correctable.includes(error.code)) throw error
    const answer = form({ sentence: sentenceOf(error), status: error.status })
    return { ...answer, headers: { ...answer.headers, ...error.headers } }
  })
}

function sentenceOf({ code, message, errors }: Failure): string {
  if (code === 'INVALID_CREDENTIALS') return 'The password is wrong.'
  const [first] = errors ?? []
  return first ? `The password ${first.message}.` : message
}
