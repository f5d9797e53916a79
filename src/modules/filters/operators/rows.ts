/** How a predicate finds the rows of another table that belong to a contact. */
export type Lookup =
  /** In the index, for each contact by itself. */
  | 'one by one'
  /** By joining all such rows, of a predicate that every result must match. */
  | 'inner join'
  /** By joining all such rows, of a predicate that results need not match. */
  | 'outer join'

/** What a predicate about rows of another table may refer to: the project is `$1`. */
export interface RowScope {
  /** Adds a value to the parameters of the statement and returns its placeholder. */
  bind(value: unknown): string
  lookup: Lookup
  /** Joins to the statement what is made of an alias; returns the alias, or undefined when there are too many joins to plan. */
  leftJoin(make: (alias: string) => string): string | undefined
}

/** Rows of a table with `project_id` and `contact_id`, at most one per contact. */
export interface Rows {
  table: string
  /** What selects them, by the alias of the table. */
  where(alias: string): string[]
}

/**
 * The predicate that the contact `c` has one of some rows, or with `is` false that it has none; never null. Postgres joins what every
 * result must match. Of any other subquery it makes a hash table, if there is memory for all of it and never in parallel; a left
 * join has neither limit.
 */
export function hasRow({ lookup, leftJoin }: RowScope, { table, where }: Rows, is: boolean): string {
  const select = (...conditions: string[]) => `${table} r where ${['r.project_id = $1', ...conditions, ...where('r')].join(' and ')}`
  if (lookup === 'inner join') {
    return is ? `c.id in (select r.contact_id from ${select()})` : `not exists (select from ${select('r.contact_id = c.id')})`
  }
  const alias =
    lookup === 'outer join' &&
    leftJoin((r) => {
      const on = [`${r}.project_id = $1`, `${r}.contact_id = c.id`, ...where(r)]
      return `left join ${table} ${r} on ${on.join(' and ')}`
    })
  if (alias) return `${alias}.contact_id is ${is ? 'not ' : ''}null`
  // With an offset it cannot be made a join or a hash table, which Postgres would take also for a page of 20: it does not know by
  // then how few contacts it looks at.
  return `${is ? '' : 'not '}exists (select from ${select('r.contact_id = c.id')} offset 0)`
}
