import type { Ctx } from '../../kit/context.ts'
import { dashboardUrl } from '../../kit/dashboard.ts'
import { Failure } from '../../kit/errors.ts'
import { errorPage } from '../../kit/html/layout.ts'
import { type HostedPage, type PageAnswer, type PageRequest, redirectTo } from '../../kit/html/page.ts'
import { beginSignIn, completeSignIn } from './oauth.ts'

/** Sign-in with an OAuth provider: the redirect to it and the callback from it. */
export const pages: HostedPage[] = [
  { method: 'GET', path: '/oauth/:provider/outbound', forAccounts: true, handle: redirectToProvider },
  { method: 'GET', path: '/oauth/:provider/callback', forAccounts: true, handle: handleCallback },
]

async function redirectToProvider(ctx: Ctx, { params }: PageRequest): Promise<PageAnswer> {
  return withErrorPage(ctx, async () => redirectTo(302, await beginSignIn(ctx, { provider: params.provider ?? '' })))
}

// To the dashboard, never to another address.
async function handleCallback(ctx: Ctx, { params, query, headers }: PageRequest): Promise<PageAnswer> {
  return withErrorPage(ctx, async () => {
    const { state, code, error } = query
    await completeSignIn(ctx, { provider: params.provider ?? '', state, code, error, cookies: headers.cookie })
    return redirectTo(302, dashboardUrl(ctx.world))
  })
}

// Users see these errors in a browser, so they become a page with a link back to the dashboard.
async function withErrorPage(ctx: Ctx, work: () => Promise<PageAnswer>): Promise<PageAnswer> {
  return work().catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
    const text = [error.message, error.suggestion].filter(Boolean).join(' ')
    const answer = errorPage({ title: 'You are not signed in', text, status: error.status, home: dashboardUrl(ctx.world) })
    return { ...answer, headers: { ...answer.headers, ...error.headers } }
  })
}
