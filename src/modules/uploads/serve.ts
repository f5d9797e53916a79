import type { Ctx } from '../../kit/context.ts'

/** A stored picture as it is served. */
export interface StoredPicture {
  id: string
  key: string
  contentType: string
  size: number
}

/** A stored picture by its address, or null. Only the key of its row is read from storage, never the requested path. */
export async function findPicture(
  { db }: Ctx,
  { project = '', name = '' }: { project?: string; name?: string },
): Promise<StoredPicture | null> {
  const id = name.slice(0, name.indexOf('.'))
  const row = await db.prisma.upload.findUnique({ where: { projectId_id: { projectId: project, id } } })
  return row?.key === `${project}/${name}` ? row : null
}

/** The bytes of a stored picture, or null when storage does not have them any more. */
export async function readPicture({ world }: Ctx, { key }: Pick<StoredPicture, 'key'>): Promise<Uint8Array | null> {
  const bytes = await world.storage.read(key)
  return bytes ? new Uint8Array(bytes) : null
}
