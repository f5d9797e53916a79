import type { Ctx } from '../../kit/context.ts'
import type { PageAnswer, PageRequest } from '../../kit/html/page.ts'

const security = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Content-Disposition': 'inline',
  // Mail programs show it on any origin.
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/** Serves a stored picture to anyone who has its address; it never changes and may be cached for a year. */
export async function showUpload({ db, world }: Ctx, { method, params, headers }: PageRequest): Promise<PageAnswer> {
  const { project: projectId = '', name = '' } = params
  const id = name.slice(0, name.indexOf('.'))
  const row = await db.prisma.upload.findUnique({ where: { projectId_id: { projectId, id } } })
  // Only the key of the row is read from storage, never the requested path.
  if (row?.key !== `${projectId}/${name}`) return pictureNotFound()
  const etag = `"${id}"`
  const cached = { ...security, ETag: etag, 'Cache-Control': 'public, max-age=31536000, immutable' }
  if (matchesEtag(headers['if-none-match'], etag)) return { status: 304, headers: cached, body: '' }
  const shown = { ...cached, 'Content-Type': row.contentType, 'Content-Length': String(row.size) }
  if (method === 'HEAD') return { status: 200, headers: shown, body: '' }
  const bytes = await world.storage.read(row.key)
  return bytes ? { status: 200, headers: shown, body: new Uint8Array(bytes) } : pictureNotFound()
}

function matchesEtag(header: string | undefined, etag: string): boolean {
  return (header ?? '').split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))
}

function pictureNotFound(): PageAnswer {
  const headers = { ...security, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }
  return { status: 404, headers, body: 'This picture does not exist.' }
}
