import { statement } from '../../kit/postgres/db.ts'

/** Up to $2 pictures of a project, the oldest first. */
export const findOldestUploads = statement<{ id: string; key: string }>(
  'uploads_find_oldest_uploads',
  'select id, key from uploads where project_id = $1 order by id limit $2',
)

/** Removes the rows of pictures ($2 ids). */
export const removeUploads = statement<object>(
  'uploads_remove_uploads',
  'delete from uploads where project_id = $1 and id = any($2::text[])',
)
