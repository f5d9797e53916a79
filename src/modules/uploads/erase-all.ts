import { statement } from '../../kit/postgres/db.ts'
import type { World } from '../../kit/world.ts'

const filesAtOnce = 50

const findSome = statement<{ id: string; key: string }>(
  'uploads_find_some',
  'select id, key from uploads where project_id = $1 order by id limit $2',
)
const removeRows = statement<object>('uploads_remove', 'delete from uploads where project_id = $1 and id = any($2::text[])')

/** Removes one batch of a project's pictures, each file before its row; answers how many. Fails with SERVICE_UNAVAILABLE. */
export async function eraseSomeUploads({ db, storage }: Pick<World, 'db' | 'storage'>, projectId: string): Promise<number> {
  const rows = await db.run(findSome, [projectId, filesAtOnce])
  for (const { key } of rows) await storage.remove(key)
  if (rows.length > 0) await db.run(removeRows, [projectId, rows.map(({ id }) => id)])
  return rows.length
}
