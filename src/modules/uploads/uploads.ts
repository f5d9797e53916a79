import type { Upload } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kit/context.ts'
import { Failure, notFound } from '../../kit/errors.ts'
import { newId } from '../../kit/ids.ts'
import { type Connection, type ConnectionArgs, connect, idWindow } from '../../kit/paging.ts'
import { cleanPicture, identifyPicture, refusal } from './picture.ts'
import { type ImageForm, mostFileBytes } from './shapes.ts'

/** A stored picture and where it is loaded from. */
export type StoredUpload = Upload & { contentType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'; url: string }

/**
 * Stores a PNG, JPEG, GIF or WebP for the bodies of mails, cleaned: its pixels without metadata. Its type is what the bytes
 * are. Fails with VALIDATION_ERROR for anything else, PAYLOAD_TOO_LARGE above 10 MB, SERVICE_UNAVAILABLE when the store is
 * away or too many pictures wait.
 */
export async function uploadImage(ctx: Ctx, { file }: ImageForm): Promise<StoredUpload> {
  const { db, clock, projectId, world, log } = ctx
  if (file.bytes.length > mostFileBytes) throw new Failure('PAYLOAD_TOO_LARGE', 'The file is larger than 10 MB.')
  const header = await identifyPicture(file.bytes)
  const { ending, contentType } = header.format
  requireSameType(file.contentType, contentType)
  const { bytes, width, height } = await cleanPicture(file.bytes, header)
  const createdAt = clock.now()
  const id = newId('upload', createdAt)
  const key = `${projectId}/${id}.${ending}`
  const filename = cleanName(file.filename) || `image.${ending}`
  // The file first: a crash in between leaves a file nobody knows of, never a row that shows nothing.
  await world.storage.put(key, bytes, contentType)
  try {
    const data = { projectId, id, key, filename, contentType, size: bytes.length, width, height, createdAt }
    return { ...(await db.prisma.upload.create({ data })), contentType, url: urlOf(ctx, { key }) }
  } catch (error) {
    await world.storage.remove(key).catch((reason: Error) => log.warn({ err: reason, key }, 'uploads: a file is left over'))
    throw error
  }
}

/** The pictures of the project as a connection, newest first. */
export async function connectUploads(
  { db, projectId }: Pick<Ctx, 'db' | 'projectId'>,
  args: ConnectionArgs,
  query: object,
): Promise<Connection<Upload>> {
  const { where: between, ...window } = idWindow('upload', args)
  const rows = await db.prisma.upload.findMany({ ...query, ...window, where: { projectId, ...between } })
  return connect(rows, args, () => db.prisma.upload.count({ where: { projectId } }))
}

/** Deletes a picture; mails that show it show it no longer, once caches forget it. Fails with RESOURCE_NOT_FOUND. */
export async function deleteUpload({ db, projectId, world }: Ctx, { id }: { id: string }): Promise<void> {
  const row = await db.prisma.upload.findUnique({ where: { projectId_id: { projectId, id } } })
  if (!row) throw notFound()
  // The file first here too: what fails can be asked for again while the row is there.
  await world.storage.remove(row.key)
  await db.prisma.upload.deleteMany({ where: { projectId, id } })
}

/** Where a picture is loaded from by everybody. */
export function urlOf({ config, world }: Pick<Ctx, 'config' | 'world'>, { key }: Pick<Upload, 'key'>): string {
  return `${config.S3_BUCKET && config.S3_PUBLIC_URL ? config.S3_PUBLIC_URL.replace(/\/$/, '') : `${world.publicUrl}/uploads`}/${key}`
}

// A browser names the type by the file's ending, other programs often say only that it is bytes.
function requireSameType(said: string | undefined, is: string): void {
  const type = said?.split(';')[0]?.trim().toLowerCase().replace('image/jpg', 'image/jpeg') ?? ''
  if (type === '' || type === 'application/octet-stream' || type === is) return
  throw refusal(`is sent as ${type.replace(/[^\w/.+-]/g, '').slice(0, 100)}, but it is ${is} by its bytes`, 'type_mismatch')
}

// For showing only: no folders, nothing that moves or hides text (Cc, Cf), one line.
function cleanName(name: string): string {
  const last = name.toWellFormed().split(/[\\/]/).at(-1) ?? ''
  return [...last.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim()].slice(0, 255).join('')
}
