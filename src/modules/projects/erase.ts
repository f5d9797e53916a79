import { type Executor, statement } from '../../kit/postgres/db.ts'

/** What decides on whether a project may be reset or deleted. */
export interface Erasable {
  name: string
  disabled: boolean
  erasing: boolean
}

const own = { allProjects: 'the table of projects itself' }

const hold = statement<Erasable>(
  'projects_hold_to_erase',
  'select name, disabled, erasing_at is not null as erasing from projects where id = $1 for no key update',
  own,
)
const close = statement<object>('projects_close', 'update projects set erasing_at = $2 where id = $1', own)
const hide = statement<{ userId: string }>(
  'projects_hide',
  `with keys as (delete from project_keys where project_id = $1),
   invited as (delete from invitations where project_id = $1)
   delete from memberships where project_id = $1 returning user_id as "userId"`,
)
const drop = statement<object>('projects_drop', 'delete from projects where id = $1', own)

/** Keeps other resets of a project waiting until the transaction ends; null when there is no such project. */
export async function holdToErase(tx: Executor, projectId: string): Promise<Erasable | null> {
  const [project] = await tx.run(hold, [projectId])
  return project ?? null
}

/** Closes a project to every change while its data is removed. */
export async function closeProject(tx: Executor, { projectId, at }: { projectId: string; at: Date }): Promise<void> {
  await tx.run(close, [projectId, at])
}

/** Opens a project again. */
export async function openProject(tx: Executor, projectId: string): Promise<void> {
  await tx.run(close, [projectId, null])
}

/** Takes a project out of everybody's sight: its keys, members and invitations are gone. */
export async function hideProject(tx: Executor, projectId: string): Promise<void> {
  await tx.run(hide, [projectId])
}

/** Removes the row of a project whose data is gone. */
export async function dropProject(tx: Executor, projectId: string): Promise<void> {
  await tx.run(drop, [projectId])
}
