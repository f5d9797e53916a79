import { type Executor, statement } from './db.ts'

/**
 * What removes the rows of a project from one table, `most` at a time in the order of `key`, so that no transaction is
 * long: each call removes one batch and answers how many rows, 0 when none is left.
 */
export function eraser(table: string, key: string, most: number): (on: Executor, projectId: string) => Promise<number> {
  const remove = statement<{ count: number }>(
    `${table}_erase_some`,
    `with gone as (
       delete from ${table} where project_id = $1 and ${key} in (select ${key} from ${table} where project_id = $1 order by ${key} limit $2)
       returning ${key})
     select count(*)::int as count from gone`,
  )
  return async (on, projectId) => (await on.run(remove, [projectId, most]))[0]?.count ?? 0
}
