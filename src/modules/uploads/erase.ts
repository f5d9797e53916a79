import type { World } from '../../kit/world.ts'
import { findOldestUploads, removeUploads } from './sql.ts'

const filesPerBatch = 50

/** Removes one batch of a project's pictures, each file before its row; returns how many. Fails with SERVICE_UNAVAILABLE. */
export async function eraseSomeUploads({ db, storage }: Pick<World, 'db' | 'storage'>, projectId: string): Promise<number> {
  const rows = await db.run(findOldestUploads, [projectId, filesPerBatch])
  for (const { key } of rows) await storage.remove(key)
  if (rows.length > 0) await db.run(removeUploads, [projectId, rows.map(({ id }) => id)])
  return rows.length
}

/** Whether a project has pictures. */
export async function hasUploads({ db }: Pick<World, 'db'>, projectId: string): Promise<boolean> {
  return (await db.run(findOldestUploads, [projectId, 1])).length > 0
}
