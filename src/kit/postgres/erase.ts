import { type Executor, statement } from './db.ts'

/**
 * Makes a function that deletes the rows of a project from a table, up to `max` per call in the order of `key`, so that no
 * transaction is long. It returns how many rows it has deleted; 0 when none is left.
 *
 * What is deleted is an array, which Postgres makes once. By a plan from when the table was empty it may choose rows `in (select … limit …)`
 * again for each row of the table.
 */
export function eraser(table: string, key: string, max: number): (on: Executor, projectId: string) => Promise<number> {
  const remove = statement<{ count: number }>(
    `${table}_erase_some`,
    `with gone as (
       delete from ${table} where project_id = $1 and ${key} = any(array(select ${key} from ${table} where project_id = $1 order by ${key} limit $2))
       returning ${key})
     select count(*)::int as count from gone`,
  )
  return async (on, projectId) => (await on.run(remove, [projectId, max]))[0]?.count ?? 0
}
