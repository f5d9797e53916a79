import { type Executor, statement } from '../../kit/postgres/db.ts'

const own = { allProjects: 'the table of projects itself' }

// Not "for update": mail that is being accepted only needs the project to stay.
const hold = statement<{ disabled: boolean; reason: string | null }>(
  'projects_hold',
  'select disabled, disabled_reason as reason from projects where id = $1 for no key update',
  own,
)

const disable = statement<object>(
  'projects_disable',
  'update projects set disabled = $2::text is not null, disabled_reason = $2, updated_at = $3 where id = $1',
  own,
)

/** Keeps other suspensions of a project waiting until the transaction ends; null when there is no such project. */
export async function holdProject(tx: Executor, projectId: string): Promise<{ disabled: boolean; reason: string | null } | null> {
  const [row] = await tx.run(hold, [projectId])
  return row ?? null
}

/** Disables a project for a reason, or enables it again with null: what it may do is decided by this on every call. */
export async function setDisabledReason(
  tx: Executor,
  { projectId, reason, at }: { projectId: string; reason: string | null; at: Date },
): Promise<void> {
  await tx.run(disable, [projectId, reason, at])
}
