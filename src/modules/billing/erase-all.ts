import { type Executor, statement } from '../../kit/db.ts'

const removeBilling = statement<{ count: number }>(
  'billing_remove',
  `with account as (delete from billing_accounts where project_id = $1 returning project_id),
   used as (delete from billing_usage where project_id = $1 returning project_id),
   told as (delete from billing_reports where project_id = $1 returning project_id)
   select (select count(*) from account) + (select count(*) from used) + (select count(*) from told) as count`,
)

/** Removes caps, usage and the account of a project that is deleted; answers how many rows. */
export async function eraseBilling(on: Executor, projectId: string): Promise<number> {
  return (await on.run(removeBilling, [projectId]))[0]?.count ?? 0
}
