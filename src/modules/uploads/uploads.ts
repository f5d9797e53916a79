import type { Upload } from '../../generated/prisma/client.ts'
import { type Ctx, ownersOf } from '../../kit/context.ts'
import { Failure, notFound } from '../../kit/errors.ts'
import { newId } from '../../kit/ids.ts'
import { networkOf } from '../../kit/networks.ts'
import { type Connection, type ConnectionArgs, connect, idWindow } from '../../kit/paging.ts'
import { isDatabaseUnreachable } from '../../kit/postgres/db.ts'
import { perWorld } from '../../kit/world.ts'
import { cleanPicture, identifyPicture, refusal } from './picture.ts'
import { type ImageForm, maxFileBytes } from './shapes.ts'
import { findUploadTotal, insertUpload, removeUploads } from './sql.ts'

/** A stored picture with its public address. */
export type StoredUpload = Upload & { contentType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'; url: string }

/**
 * Stores a PNG, JPEG, GIF or WebP for use in emails: its pixels, without metadata. Its type is recognised by its bytes.
 * Fails with VALIDATION_ERROR for any other file, PAYLOAD_TOO_LARGE above 10 MB, LIMIT_REACHED when the pictures of the project would
 * have more than `UPLOAD_QUOTA_MB` together, SERVICE_UNAVAILABLE when the storage is unavailable or too many pictures are being processed,
 * and as `rightsNow` does when its caller may not call any more once it is processed.
 */
export async function uploadImage(ctx: Ctx, { file }: ImageForm): Promise<StoredUpload> {
  const { db, clock, projectId, world, log } = ctx
  using _underWay = uploadsIn(world).begin()
  if (file.bytes.length > maxFileBytes) throw new Failure('PAYLOAD_TOO_LARGE', 'The file is larger than 10 MB.')
  // Before the work; what counts is the size as it is stored.
  const used = await usedBytes(ctx)
  if (used >= maxBytesOf(ctx)) throw noRoom(ctx, used)
  const turn = { owners: ownersOf(ctx), network: networkOfCaller(ctx), ended: ctx.left?.() }
  const header = await identifyPicture(file.bytes, turn)
  const { extension, contentType } = header.format
  requireSameType(file.contentType, contentType)
  const { bytes, width, height } = await cleanPicture(file.bytes, header, turn)
  await ctx.rightsNow?.()
  const createdAt = clock.now()
  const id = newId('upload', createdAt)
  const key = `${projectId}/${id}.${extension}`
  const filename = cleanName(file.filename) || `image.${extension}`
  // The file first: a crash in between may leave a file without a row, but never a row without a file.
  await world.storage.put(key, bytes, contentType).catch((error: unknown) => {
    // It may be there, and only the answer was lost. Nobody waits for it: the storage may be unavailable.
    void removeFile(ctx, key)
    throw error
  })
  try {
    const [stored] = await db.run(insertUpload, [
      ...[projectId, id, key, filename, contentType, bytes.length, width, height, createdAt],
      maxBytesOf(ctx),
    ])
    if (!stored) throw noRoom(ctx, await usedBytes(ctx), bytes.length)
    return { projectId, id, key, filename, contentType, size: bytes.length, width, height, createdAt, url: urlOf(ctx, { key }) }
  } catch (error) {
    // Then the row may have been stored, and only the answer was lost.
    if (isDatabaseUnreachable(error)) log.warn({ err: error, key }, 'uploads: a file may have no row')
    else await removeFile(ctx, key)
    throw error
  }
}

function removeFile({ world, log }: Ctx, key: string): Promise<void> {
  return world.storage.remove(key).catch((err: Error) => log.warn({ err, key }, 'uploads: a file without a row could not be removed'))
}

// A process that ends waits for them: to decode a picture is native code, which would hold the end up when nothing limits that any more.
const uploadsIn = perWorld((world) => {
  const underWay = new Set<Promise<void>>()
  world.atClose(async () => void (await Promise.all(underWay)))
  return {
    begin(): Disposable {
      const { promise, resolve } = Promise.withResolvers<void>()
      underWay.add(promise)
      return {
        [Symbol.dispose]() {
          underWay.delete(promise)
          resolve()
        },
      }
    },
  }
})

/** The pictures of the project as a GraphQL connection, newest first. */
export async function connectUploads(
  { db, projectId }: Pick<Ctx, 'db' | 'projectId'>,
  args: ConnectionArgs,
  query: object,
): Promise<Connection<Upload>> {
  const { where: between, ...window } = idWindow('upload', args)
  const rows = await db.prisma.upload.findMany({ ...query, ...window, where: { projectId, ...between } })
  return connect(rows, args, () => db.prisma.upload.count({ where: { projectId } }))
}

/** Deletes a picture; emails no longer show it, except where it is cached. Fails with RESOURCE_NOT_FOUND. */
export async function deleteUpload({ db, projectId, world }: Ctx, { id }: { id: string }): Promise<void> {
  const row = await db.prisma.upload.findUnique({ where: { projectId_id: { projectId, id } } })
  if (!row) throw notFound()
  // The file first here too: after a failure the row is still there, so that the call can be repeated.
  await world.storage.remove(row.key)
  await db.lasting().run(removeUploads, [projectId, [id]])
}

/** The public address of a picture. */
export function urlOf({ config, world }: Pick<Ctx, 'config' | 'world'>, { key }: Pick<Upload, 'key'>): string {
  return `${config.S3_BUCKET && config.S3_PUBLIC_URL ? config.S3_PUBLIC_URL.replace(/\/$/, '') : `${world.publicUrl}/uploads`}/${key}`
}

const megabyte = 1024 * 1024

function maxBytesOf({ config }: Pick<Ctx, 'config'>): number {
  return config.UPLOAD_QUOTA_MB * megabyte
}

async function usedBytes({ db, projectId }: Pick<Ctx, 'db' | 'projectId'>): Promise<number> {
  return (await db.run(findUploadTotal, [projectId]))[0]?.bytes ?? 0
}

function noRoom(ctx: Pick<Ctx, 'config'>, used: number, bytes?: number): Failure {
  const inMegabytes = (size: number): string => `${(size / megabyte).toLocaleString('en', { maximumFractionDigits: 2 })} MB`
  const one = bytes === undefined ? 'another one' : `this one, which has ${inMegabytes(bytes)} as it is stored`
  const together = `The pictures of this project have ${inMegabytes(used)} together, of at most ${inMegabytes(maxBytesOf(ctx))}`
  return new Failure('LIMIT_REACHED', `${together}: there is no room for ${one}.`, {
    suggestion: 'Delete pictures that no email shows any more (mutation `deleteUpload`), or use another project.',
  })
}

function networkOfCaller({ client }: Pick<Ctx, 'client'>): string | undefined {
  return client.address === undefined ? undefined : `address ${networkOf(client.address)}`
}

// Browsers derive the type from the file extension; other programs often send application/octet-stream.
function requireSameType(given: string | undefined, is: string): void {
  const type = given?.split(';')[0]?.trim().toLowerCase().replace('image/jpg', 'image/jpeg') ?? ''
  if (type === '' || type === 'application/octet-stream' || type === is) return
  throw refusal(`is sent as ${type.replace(/[^\w/.+-]/g, '').slice(0, 100)}, but it is ${is} by its bytes`, 'type_mismatch')
}

// For display only: without folders, on one line, without characters that move or hide text (Cc, Cf).
function cleanName(name: string): string {
  const last = name.toWellFormed().split(/[\\/]/).at(-1) ?? ''
  return [...last.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim()].slice(0, 255).join('')
}
