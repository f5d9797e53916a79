import type { HostedPage } from '../../../kit/html/page.ts'
import { changePreferences, showPreferences } from './preferences.ts'
import type { SubscriptionPage } from './views.ts'

function preferences(page: SubscriptionPage): HostedPage[] {
  const path = `/${page}/:token`
  return [
    { method: 'GET', path, handle: (ctx, request) => showPreferences(ctx, page, request) },
    { method: 'POST', path, handle: (ctx, request) => changePreferences(ctx, page, request) },
  ]
}

/** The pages where recipients change their subscription. */
export const pages: HostedPage[] = [...preferences('unsubscribe'), ...preferences('subscribe'), ...preferences('manage')]
