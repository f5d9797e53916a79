import { statement } from '../../kit/postgres/db.ts'

const own = { allProjects: 'the table of projects itself' }

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

/** What decides on whether a project may be reset or deleted. */
export interface Erasable {
  name: string
  disabled: boolean
  erasing: boolean
}

/** Locks a project for a reset or deletion; mail that is being accepted does not wait for it. */
export const hold = statement<Erasable>(
  'projects_hold_to_erase',
  'select name, disabled, erasing_at is not null as erasing from projects where id = $1 for no key update',
  own,
)

/** Closes a project to changes, or opens it again with null. */
export const close = statement<object>('projects_close', 'update projects set erasing_at = $2 where id = $1', own)

/** Removes the keys, invitations and memberships of a project. */
export const hide = statement<{ userId: string }>(
  'projects_hide',
  `with keys as (delete from project_keys where project_id = $1),
   invited as (delete from invitations where project_id = $1)
   delete from memberships where project_id = $1 returning user_id as "userId"`,
)

/** Removes the row of a project. */
export const drop = statement<object>('projects_drop', 'delete from projects where id = $1', own)

/** Not "for update": mail that is being accepted only needs the project to stay. */
export const lockToSuspend = statement<{ disabled: boolean; reason: string | null }>(
  'projects_hold',
  'select disabled, disabled_reason as reason from projects where id = $1 for no key update',
  own,
)

/** Disables a project for a reason ($2), or enables it with null. */
export const setDisabled = statement<object>(
  'projects_disable',
  'update projects set disabled = $2::text is not null, disabled_reason = $2, updated_at = $3 where id = $1',
  own,
)
