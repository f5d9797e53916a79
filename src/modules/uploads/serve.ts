import type { Ctx } from '../../kit/context.ts'
import type { PageAnswer, PageRequest } from '../../kit/html/page.ts'

const security = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Content-Disposition': 'inline',
  // A mail program shows it from anywhere.
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/** Answers a stored picture to anybody who has its address; it never changes, so that it is cached for a year. */
export async function showUpload({ db, world }: Ctx, { method, params, headers }: PageRequest): Promise<PageAnswer> {
  const { project: projectId = '', name = '' } = params
  const id = name.slice(0, name.indexOf('.'))
  const row = await db.prisma.upload.findUnique({ where: { projectId_id: { projectId, id } } })
  // What is read is the key of the row, never the path that was asked for.
  if (row?.key !== `${projectId}/${name}`) return nothingThere()
  const etag = `"${id}"`
  const cached = { ...security, ETag: etag, 'Cache-Control': 'public, max-age=31536000, immutable' }
  if (isKnown(headers['if-none-match'], etag)) return { status: 304, headers: cached, body: '' }
  const shown = { ...cached, 'Content-Type': row.contentType, 'Content-Length': String(row.size) }
  if (method === 'HEAD') return { status: 200, headers: shown, body: '' }
  const bytes = await world.storage.read(row.key)
  return bytes ? { status: 200, headers: shown, body: new Uint8Array(bytes) } : nothingThere()
}

function isKnown(asked: string | undefined, etag: string): boolean {
  return (asked ?? '').split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()))
}

function nothingThere(): PageAnswer {
  const headers = { ...security, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }
  return { status: 404, headers, body: 'There is no such picture.' }
}
