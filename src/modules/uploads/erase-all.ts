import type { World } from '../../kit/world.ts'
import { findSome, removeRows } from './sql.ts'

const filesAtOnce = 50

/** Removes one batch of a project's pictures, each file before its row; answers how many. Fails with SERVICE_UNAVAILABLE. */
export async function eraseSomeUploads({ db, storage }: Pick<World, 'db' | 'storage'>, projectId: string): Promise<number> {
  const rows = await db.run(findSome, [projectId, filesAtOnce])
  for (const { key } of rows) await storage.remove(key)
  if (rows.length > 0) await db.run(removeRows, [projectId, rows.map(({ id }) => id)])
  return rows.length
}
