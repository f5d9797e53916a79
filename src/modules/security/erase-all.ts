import { type Executor, statement } from '../../kit/db.ts'

const removeReputation = statement<{ count: number }>(
  'security_remove',
  `with totals as (delete from reputations where project_id = $1 returning project_id),
   hours as (delete from reputation_hours where project_id = $1 returning project_id),
   past as (delete from suspensions where project_id = $1 returning project_id)
   select (select count(*) from totals) + (select count(*) from hours) + (select count(*) from past) as count`,
)

/** Removes the reputation and suspensions of a project that is deleted; answers how many rows. */
export async function eraseReputation(on: Executor, projectId: string): Promise<number> {
  return (await on.run(removeReputation, [projectId]))[0]?.count ?? 0
}
