import type { Ctx } from '../../../kit/context.ts'
import type { HostedPage, PageAnswer, PageRequest } from '../../../kit/html/page.ts'
import { mayLeadOn } from './hosts.ts'
import { recordClick, recordOpen } from './record.ts'
import { clickAnswer, pixelAnswer } from './views.ts'

/** The open pixel and the tracked links of emails. */
export const pages: HostedPage[] = [
  { method: 'GET', path: '/t/o/:token', forRecipients: true, handle: showPixel },
  { method: 'GET', path: '/t/c/:token', forRecipients: true, handle: followLink },
]

// Also a forged token gets the picture; nothing is recorded for it.
async function showPixel(ctx: Ctx, { params, method, headers }: PageRequest): Promise<PageAnswer> {
  await recordOpen(ctx, { token: params.token ?? '', method, headers })
  return pixelAnswer()
}

async function followLink(ctx: Ctx, { params, method, headers }: PageRequest): Promise<PageAnswer> {
  const token = params.token ?? ''
  const [target, leadsOn] = await Promise.all([recordClick(ctx, { token, method, headers }), mayLeadOn(ctx, { token, host: headers.host })])
  return clickAnswer(target, { headers, leadsOn })
}
