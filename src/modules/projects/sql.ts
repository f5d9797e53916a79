import { statement } from '../../kit/postgres/db.ts'

/**
 * Replaces both keys of a project. Hand-written: one statement locks the rows it changes, so that two rotations at once
 * end with the two keys of one of them, which a delete and an insert would not.
 */
export const replaceKeys = statement<{ kind: string }>(
  'projects_replace_keys',
  `update project_keys k set hash = n.hash, sealed = n.sealed, created_at = $5::timestamptz
   from unnest($2::text[], $3::text[], $4::text[]) as n(kind, hash, sealed)
   where k.project_id = $1 and k.kind = n.kind::key_kind
   returning k.kind::text as kind`,
)
