import type { Ctx } from '../../kit/context.ts'
import type { PageAnswer, PageRequest } from '../../kit/page.ts'
import { recordClick, recordOpen } from './opens.ts'
import { unknownLinkPage } from './views/subscription.ts'

// A transparent GIF of one pixel.
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** The open pixel: always a picture, never cached; the open is recorded when the token is ours. */
export async function showPixel(ctx: Ctx, { params, method }: PageRequest): Promise<PageAnswer> {
  await recordOpen(ctx, { token: params.token ?? '', method })
  return {
    status: 200,
    headers: { 'Content-Type': 'image/gif', 'Cache-Control': 'no-store, private', 'Cross-Origin-Resource-Policy': 'cross-origin' },
    body: pixel,
  }
}

/** A tracked link: 302 to the target signed into it, so that it leads nowhere else; a forged one is a 404. */
export async function followLink(ctx: Ctx, { params, method }: PageRequest): Promise<PageAnswer> {
  const target = await recordClick(ctx, { token: params.token ?? '', method })
  if (!target) return unknownLinkPage()
  return { status: 302, headers: { Location: new URL(target).href, 'Cache-Control': 'no-store, private' }, body: '' }
}
