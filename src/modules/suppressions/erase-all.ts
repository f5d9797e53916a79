import { type Executor, statement } from '../../kit/db.ts'

const addressesAtOnce = 5_000

const removeSuppressions = statement<{ count: number }>(
  'suppressions_remove_some',
  `with gone as (
     delete from suppressions where project_id = $1 and email in
       (select email from suppressions where project_id = $1 order by email limit $2) returning email)
   select count(*)::int as count from gone`,
)

/** Removes one batch of a project's suppression list; answers how many, 0 when none is left. */
export async function eraseSomeSuppressions(on: Executor, projectId: string): Promise<number> {
  return (await on.run(removeSuppressions, [projectId, addressesAtOnce]))[0]?.count ?? 0
}
