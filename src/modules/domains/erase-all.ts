import { type Executor, statement } from '../../kit/db.ts'

const removeDomains = statement<{ count: number }>(
  'domains_remove_all',
  'with gone as (delete from domains where project_id = $1 returning id) select count(*)::int as count from gone',
)

/** Removes the domains of a project that is deleted, 1,000 at most; answers how many. */
export async function eraseDomains(on: Executor, projectId: string): Promise<number> {
  return (await on.run(removeDomains, [projectId]))[0]?.count ?? 0
}
