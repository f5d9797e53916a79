import type { Ctx } from '../../../kit/context.ts'
import type { HostedPage, PageAnswer, PageRequest } from '../../../kit/html/page.ts'
import { changePreferences, findPreferences, type SubscriptionPage } from './preferences.ts'
import { confirmPage, outcomePage, unknownLinkPage } from './views.ts'

function preferences(page: SubscriptionPage): HostedPage[] {
  const path = `/${page}/:token`
  return [
    { method: 'GET', path, forRecipients: true, handle: (ctx, request) => show(ctx, page, request) },
    { method: 'POST', path, forRecipients: true, handle: (ctx, request) => change(ctx, page, request) },
  ]
}

/** The pages where recipients change their subscription. */
export const pages: HostedPage[] = [...preferences('unsubscribe'), ...preferences('subscribe'), ...preferences('manage')]

async function show(ctx: Ctx, page: SubscriptionPage, { params, headers }: PageRequest): Promise<PageAnswer> {
  const contact = await findPreferences(ctx, { token: params.token ?? '' })
  return contact ? confirmPage(page, contact) : unknownLinkPage(headers)
}

async function change(ctx: Ctx, page: SubscriptionPage, { params, body, headers }: PageRequest): Promise<PageAnswer> {
  const form = { page, token: params.token ?? '', subscribed: body.subscribed, listUnsubscribe: body['List-Unsubscribe'] }
  return outcomePage(page, await changePreferences(ctx, form), headers)
}
