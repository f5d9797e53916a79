import type { Ctx } from '../../kit/context.ts'
import type { HostedPage, PageAnswer, PageRequest } from '../../kit/html/page.ts'
import { findPicture, openPicture } from './serve.ts'
import { hasPicture, pictureAnswer, pictureNotFound, unchangedAnswer } from './views.ts'

/** Serves stored pictures to anyone who has their address. */
export const pages: HostedPage[] = [{ method: 'GET', path: '/uploads/:project/:name', handle: showPicture }]

async function showPicture(ctx: Ctx, { method, params, headers }: PageRequest): Promise<PageAnswer> {
  const picture = await findPicture(ctx, params)
  if (!picture) return pictureNotFound()
  if (hasPicture(headers['if-none-match'], picture)) return unchangedAnswer(picture)
  if (method === 'HEAD') return pictureAnswer(picture, '')
  const opened = await openPicture(ctx, picture)
  return opened ? pictureAnswer(picture, opened) : pictureNotFound()
}
