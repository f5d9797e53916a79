import { type Executor, statement } from '../../kit/db.ts'

// Each may be megabytes long.
const templatesAtOnce = 500

const removeTemplates = statement<{ count: number }>(
  'templates_remove_some',
  `with gone as (
     delete from templates where project_id = $1 and id in (select id from templates where project_id = $1 order by id limit $2) returning id)
   select count(*)::int as count from gone`,
)

/** Removes one batch of a project's templates; answers how many, 0 when none is left. */
export async function eraseSomeTemplates(on: Executor, projectId: string): Promise<number> {
  return (await on.run(removeTemplates, [projectId, templatesAtOnce]))[0]?.count ?? 0
}
