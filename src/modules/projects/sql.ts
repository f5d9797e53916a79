import { statement } from '../../kit/postgres/db.ts'

const own = { allProjects: 'the table of projects itself' }

/**
 * Replaces both keys of a project. Hand-written: one statement locks the rows it changes, so that after two concurrent
 * rotations both keys are those of the same rotation, which a delete and an insert would not ensure.
 */
export const replaceKeys = statement<{ kind: string }>(
  'projects_replace_keys',
  `update project_keys k set hash = n.hash, sealed = n.sealed, created_at = $5::timestamptz
   from unnest($2::text[], $3::text[], $4::text[]) as n(kind, hash, sealed)
   where k.project_id = $1 and k.kind = n.kind::key_kind
   returning k.kind::text as kind`,
)

/** What decides whether a project may be reset or deleted. */
export interface Erasable {
  name: string
  disabled: boolean
  erasing: boolean
}

/** Locks a project for a reset or deletion; emails that are being accepted do not wait for the lock. */
export const lockToErase = statement<Erasable>(
  'projects_lock_to_erase',
  'select name, disabled, erasing_at is not null as erasing from projects where id = $1 for no key update',
  own,
)

/** Closes a project to changes, or opens it again with null. */
export const setErasing = statement<object>('projects_set_erasing', 'update projects set erasing_at = $2 where id = $1', own)

/** Removes the keys, invitations and memberships of a project. */
export const removeAccess = statement<{ userId: string }>(
  'projects_remove_access',
  `with keys as (delete from project_keys where project_id = $1),
   invited as (delete from invitations where project_id = $1)
   delete from memberships where project_id = $1 returning user_id as "userId"`,
)

/** Removes the row of a project. */
export const deleteProjectRow = statement<object>('projects_delete_project_row', 'delete from projects where id = $1', own)

/** Locks a project for a suspension. Not `for update`: emails that are being accepted only need the row to exist. */
export const lockToSuspend = statement<{ disabled: boolean; reason: string | null }>(
  'projects_lock_to_suspend',
  'select disabled, disabled_reason as reason from projects where id = $1 for no key update',
  own,
)

/** Disables a project for a reason ($2), or enables it with null. */
export const setDisabled = statement<object>(
  'projects_set_disabled',
  'update projects set disabled = $2::text is not null, disabled_reason = $2, updated_at = $3 where id = $1',
  own,
)
