import type { Ctx } from '../../kit/context.ts'
import { dashboardUrl, hasDashboard } from '../../kit/dashboard.ts'
import { type HostedPage, type PageAnswer, type PageRequest, redirectTo } from '../../kit/html/page.ts'
import { logOut } from '../auth/accounts/login.ts'
import { checkPasswordReset } from '../auth/accounts/passwords.ts'
import { openVerification } from '../auth/accounts/verification.ts'
import { joinByForm, openInvitation, resetTypedPassword, verifyByForm } from './account.ts'
import { getHome } from './home.ts'
import { donePage, invitationPage, resetPage, verifyPage } from './views/account.ts'
import { orFormAgain, orLinkError } from './views/failures.ts'
import { homePage, iconAnswer } from './views/home.ts'

/** The home page, and the pages that the links in notifications lead to. */
export const pages: HostedPage[] = [
  { method: 'GET', path: '/', forAccounts: true, handle: showHome },
  { method: 'GET', path: '/favicon.svg', forRecipients: true, handle: async () => iconAnswer },
  { method: 'GET', path: '/favicon.ico', handle: async () => iconAnswer },
  { method: 'GET', path: '/verify-email/:token', forAccounts: true, handle: showVerification },
  { method: 'POST', path: '/verify-email/:token', forAccounts: true, handle: submitVerification },
  { method: 'GET', path: '/reset-password/:token', forAccounts: true, handle: showReset },
  { method: 'POST', path: '/reset-password/:token', forAccounts: true, handle: submitReset },
  { method: 'GET', path: '/invitations/:token', forAccounts: true, handle: showInvitation },
  { method: 'POST', path: '/invitations/:token', forAccounts: true, handle: submitInvitation },
]

// Browsers are led to the dashboard, with what the address says besides; programs, and installations without it, get the page itself.
async function showHome(ctx: Ctx, { headers, query }: PageRequest): Promise<PageAnswer> {
  if (!hasDashboard(ctx.world) || !headers.accept?.includes('text/html')) return homePage(await getHome(ctx))
  const more = new URLSearchParams(query).toString()
  return redirectTo(302, `/app/${more && `?${more}`}`)
}

// Opening a link shows a page and changes nothing: the button of the page does.
async function showVerification(ctx: Ctx, { params }: PageRequest): Promise<PageAnswer> {
  return orLinkError(ctx, async () => {
    return verifyPage(await openVerification(ctx, { token: params.token ?? '' }))
  })
}

async function submitVerification(ctx: Ctx, { params, body: fields }: PageRequest): Promise<PageAnswer> {
  const token = params.token ?? ''
  return orLinkError(ctx, async () => {
    const opened = await openVerification(ctx, { token })
    return orFormAgain(
      (error) => verifyPage(opened, error),
      async () => {
        const { message: text } = await verifyByForm(ctx, { token, fields })
        return donePage({ title: 'Thank you', text, home: dashboardUrl(ctx.world) })
      },
    )
  })
}

async function showReset(ctx: Ctx, { params }: PageRequest): Promise<PageAnswer> {
  return orLinkError(ctx, async () => {
    await checkPasswordReset(ctx, { token: params.token ?? '' })
    return resetPage()
  })
}

async function submitReset(ctx: Ctx, { params, body: fields }: PageRequest): Promise<PageAnswer> {
  const token = params.token ?? ''
  return orLinkError(ctx, async () => {
    await checkPasswordReset(ctx, { token })
    return orFormAgain(resetPage, async () => {
      const { message: text } = await resetTypedPassword(ctx, { token, fields })
      return donePage({ title: 'Done', text, home: dashboardUrl(ctx.world) })
    })
  })
}

async function showInvitation(ctx: Ctx, { params }: PageRequest): Promise<PageAnswer> {
  return orLinkError(ctx, async () => invitationPage(await openInvitation(ctx, { token: params.token ?? '' })))
}

async function submitInvitation(ctx: Ctx, { params, body: fields }: PageRequest): Promise<PageAnswer> {
  const token = params.token ?? ''
  if (fields.do === 'sign-out') return signOut(ctx, token)
  return orLinkError(ctx, async () => {
    const opened = await openInvitation(ctx, { token })
    return orFormAgain(
      (error) => invitationPage(opened, error),
      async () => {
        await joinByForm(ctx, { token, opened, fields })
        return donePage({
          title: 'Welcome',
          text: `You are now a member of ${opened.invitation.projectName}.`,
          home: dashboardUrl(ctx.world),
        })
      },
    )
  })
}

async function signOut(ctx: Ctx, token: string): Promise<PageAnswer> {
  await logOut(ctx)
  return redirectTo(303, `/invitations/${encodeURIComponent(token)}`)
}
