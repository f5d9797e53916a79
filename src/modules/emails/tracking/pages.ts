import type { Ctx } from '../../../kit/context.ts'
import type { HostedPage, PageAnswer, PageRequest } from '../../../kit/html/page.ts'
import { unknownLinkPage } from '../subscription/views.ts'
import { recordClick, recordOpen } from './record.ts'

/** The open pixel and the tracked links of emails. */
export const pages: HostedPage[] = [
  { method: 'GET', path: '/t/o/:token', handle: showPixel },
  { method: 'GET', path: '/t/c/:token', handle: followLink },
]

// A transparent GIF of one pixel.
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

// Always returns a picture, which is never cached; the open is recorded unless the token is forged.
async function showPixel(ctx: Ctx, { params, method }: PageRequest): Promise<PageAnswer> {
  await recordOpen(ctx, { token: params.token ?? '', method })
  return {
    status: 200,
    headers: { 'Content-Type': 'image/gif', 'Cache-Control': 'no-store, private', 'Cross-Origin-Resource-Policy': 'cross-origin' },
    body: pixel,
  }
}

// 302 to the target that is signed into the link; a forged link is a 404.
async function followLink(ctx: Ctx, { params, method }: PageRequest): Promise<PageAnswer> {
  const target = await recordClick(ctx, { token: params.token ?? '', method })
  if (!target) return unknownLinkPage()
  return { status: 302, headers: { Location: new URL(target).href, 'Cache-Control': 'no-store, private' }, body: '' }
}
