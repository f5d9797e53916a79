import { statement } from '../../kit/postgres/db.ts'

/** Up to $2 pictures of a project, the oldest first. */
export const findOldestUploads = statement<{ id: string; key: string }>(
  'uploads_find_oldest_uploads',
  'select id, key from uploads where project_id = $1 order by id limit $2',
)

/** How many bytes the pictures of a project have together; no row before its first one. */
export const findUploadTotal = statement<{ bytes: number }>(
  'uploads_find_upload_total',
  'select bytes::float8 as bytes from upload_totals where project_id = $1',
)

/**
 * Adds a picture and its bytes ($6) to those of the project; returns nothing and adds nothing when they would be more than $10 together.
 * Hand-written, because parallel uploads may not have more: each waits for the row of the total, and asks what it is then.
 */
export const insertUpload = statement<{ id: string }>(
  'uploads_insert_upload',
  `with counted as (
     insert into upload_totals as t (project_id, bytes) select $1, $6::int where $6::int <= $10::float8
     on conflict (project_id) do update set bytes = t.bytes + excluded.bytes where t.bytes + excluded.bytes <= $10::float8
     returning t.project_id)
   insert into uploads (project_id, id, key, filename, content_type, size, width, height, created_at)
   select $1, $2, $3, $4, $5, $6::int, $7::int, $8::int, $9::timestamptz from counted returning id`,
)

/** Removes the rows of pictures ($2 ids), and gives back their bytes. */
export const removeUploads = statement<object>(
  'uploads_remove_uploads',
  `with removed as (delete from uploads where project_id = $1 and id = any($2::text[]) returning size)
   update upload_totals set bytes = bytes - (select coalesce(sum(size), 0) from removed) where project_id = $1`,
)
