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
import { donePage, enterPage, joinPage, otherAccountPage, resetPage, sorryPage, verifyPage, type Wrong } from './views/account.ts'

/** Shows the page of a link that proves an address; changes nothing. */
export async function showVerification(ctx: Ctx, { params }: PageRequest): Promise<PageAnswer> {
  return orSorry(ctx, async () => {
    await checkVerification(ctx, { token: params.token ?? '' })
    return verifyPage()
  })
}

/** Takes the proof of an address by the button of its page. */
export async function takeVerification(ctx: Ctx, { params }: PageRequest): Promise<PageAnswer> {
  return orSorry(ctx, async () => {
    const { message: text } = await verifyEmail(ctx, { token: params.token ?? '' })
    return donePage({ title: 'Thank you', text, home: homeOf(ctx.world) })
  })
}

/** Shows the form of a link that resets a password; changes nothing. */
export async function showReset(ctx: Ctx, { params }: PageRequest): Promise<PageAnswer> {
  return orSorry(ctx, async () => {
    await checkPasswordReset(ctx, { token: params.token ?? '' })
    return resetPage()
  })
}

/** Sets a new password by the form of its page. */
export async function takeReset(ctx: Ctx, request: PageRequest): Promise<PageAnswer> {
  const token = request.params.token ?? ''
  return orSorry(ctx, async () => {
    await checkPasswordReset(ctx, { token })
    return orAgain(resetPage, async () => {
      requireSameTwice(request.body.newPassword, request.body.repeated)
      const { message: text } = await resetPassword(ctx, read(PasswordReset, { ...request.body, token }))
      return donePage({ title: 'Done', text, home: homeOf(ctx.world) })
    })
  })
}

/** Shows an invitation to who holds its link; changes nothing. */
export async function showInvitation(ctx: Ctx, { params }: PageRequest): Promise<PageAnswer> {
  return orSorry(ctx, async () => {
    const view = await getInvitation(ctx, { token: params.token ?? '' })
    const { actor } = ctx
    if (actor.kind !== 'user') return enterPage(view)
    return actor.email === view.email ? joinPage(view) : otherAccountPage(view, actor.email)
  })
}

/** Takes an invitation by the form of its page, or signs out whoever is signed in with another address. */
export async function takeInvitation(ctx: Ctx, request: PageRequest): Promise<PageAnswer> {
  const token = request.params.token ?? ''
  if (request.body.do === 'sign-out') {
    await logOut(ctx)
    return { status: 303, headers: { Location: `/invitations/${encodeURIComponent(token)}`, 'Cache-Control': 'no-store' }, body: '' }
  }
  return orSorry(ctx, async () => {
    const view = await getInvitation(ctx, { token })
    const again = (wrong: Wrong) => (ctx.actor.kind === 'user' ? joinPage(view, wrong) : enterPage(view, wrong))
    return orAgain(again, async () => {
      if (ctx.actor.kind !== 'user' && !view.hasAccount) requireSameTwice(request.body.password, request.body.repeated)
      await acceptInvitation(ctx, read(InvitationAnswer, { token, password: request.body.password }))
      return donePage({ title: 'Welcome', text: `You are now a member of ${view.projectName}.`, home: homeOf(ctx.world) })
    })
  })
}

function requireSameTwice(password: string | undefined, repeated: string | undefined): void {
  if (password !== repeated) throw new Failure('VALIDATION_ERROR', 'The two passwords are not the same: type them again.')
}

/** A link that no longer holds shows a page that says so; other failures fly on. */
async function orSorry({ world }: Ctx, work: () => Promise<PageAnswer>): Promise<PageAnswer> {
  return work().catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'BAD_REQUEST') throw error
    const text = [error.message, error.suggestion].filter(Boolean).join(' ')
    return sorryPage({ title: 'This link does not work any more', text, status: 404, home: homeOf(world) })
  })
}

// What somebody can put right is said above the form they filled in.
const correctable = ['VALIDATION_ERROR', 'INVALID_CREDENTIALS', 'FORBIDDEN', 'RATE_LIMIT_EXCEEDED', 'CONFLICT']

async function orAgain(form: (wrong: Wrong) => PageAnswer, work: () => Promise<PageAnswer>): Promise<PageAnswer> {
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
