import { statement } from '../../kit/postgres/db.ts'

/** The oldest pictures of a project, $2 at most. */
export const findSome = statement<{ id: string; key: string }>(
  'uploads_find_some',
  'select id, key from uploads where project_id = $1 order by id limit $2',
)

/** Removes the rows of pictures. */
export const removeRows = statement<object>('uploads_remove', 'delete from uploads where project_id = $1 and id = any($2::text[])')
