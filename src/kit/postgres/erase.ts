import { type Database, type Executor, type Statement, statement } from './db.ts'

/** What a removal in batches may use of Postgres, so that whoever has it removed can put a condition before each of them. */
export type ErasingDatabase = Pick<Database, 'run' | 'transaction'>

/**
 * Declares, as `statement` does, one that chooses rows up to a limit, as `key = any(array(select … limit …))`, and then changes or deletes them.
 * Postgres plans it each time. By a plan that it keeps from when the table was nearly empty it would compare each row of the table with
 * all that are chosen, and those of `key in (select … limit …)` it would choose again for each row.
 *
 * Where a caller goes on until none is left it returns how many it has chosen: others may have removed all of these meanwhile.
 */
export function batchStatement<Row>(name: string, text: string, across?: { allProjects: string }): Statement<Row> {
  return { ...statement<Row>(name, text, across), planned: 'each time' }
}

/**
 * Makes a function that deletes the rows of a project from a table, up to `max` per call in the order of `key`, so that no
 * transaction is long. It returns how many rows it has chosen, also those that others delete meanwhile; 0 when none is left.
 */
export function eraser(table: string, key: string, max: number): (on: Executor, projectId: string) => Promise<number> {
  const remove = removal(`${table}_erase_some`, { table, key, where: 'project_id = $1', max: '$2' })
  return async (on, projectId) => (await on.run(remove, [projectId, max]))[0]?.count ?? 0
}

/** Makes a function as `eraser` does, for the rows of a project whose column `of` has the value that it is given, in the order of `key`. */
export function eraserOf(
  table: string,
  { of, key, max }: { of: string; key: string; max: number },
): (on: Executor, projectId: string, value: string) => Promise<number> {
  const remove = removal(`${table}_erase_some_of`, { table, key, where: `project_id = $1 and ${of} = $2`, max: '$3' })
  return async (on, projectId, value) => (await on.run(remove, [projectId, value, max]))[0]?.count ?? 0
}

function removal(
  name: string,
  { table, key, where, max }: Record<'table' | 'key' | 'where' | 'max', string>,
): Statement<{ count: number }> {
  return batchStatement<{ count: number }>(
    name,
    // By their places, because a key may be that of many rows. A row that is changed meanwhile has another one, and is chosen again.
    `with chosen as materialized (select ctid from ${table} where ${where} order by ${key} limit ${max}),
     gone as (delete from ${table} where ${where} and ctid = any(array(select ctid from chosen)))
     select count(*)::int as count from chosen`,
  )
}
