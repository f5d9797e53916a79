import { statement } from '../../../../kit/postgres/db.ts'

// One of each list is read: that of all executions of the workflow, or those of the executions in each of some states, by their index.
function within(rows: (state: string) => string): string {
  return `(${rows('q.states is null')}) union all
    (select x.id from unnest(string_to_array(q.states, ',')::workflow_execution_status[]) s(state) cross join lateral (${rows('x.status = s.state')}) x)`
}

function page(direction: 'asc' | 'desc'): string {
  const rows = within(
    (state) => `select x.id from workflow_executions x where x.project_id = $1 and x.workflow_id = q.workflow_id and ${state}
       and x.id > q.above and x.id < q.below order by x.id ${direction} limit q.size`,
  )
  return `select q.ord::int as ord, x.id
   from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::int[]) with ordinality as q(workflow_id, states, above, below, size, ord)
   cross join lateral (select x.id from (${rows}) x order by x.id ${direction} limit q.size) x order by q.ord, x.id ${direction}`
}

/**
 * Pages of the executions of workflows ($2), newest first: $3 states, separated by commas, or null, between two ids ($4, $5), at most $6
 * of each. `ord` is the place of the workflow, from 1.
 */
export const selectPages = statement<{ ord: number; id: string }>('workflows_select_pages', page('desc'))

/** The same, oldest first. */
export const selectPagesBackwards = statement<{ ord: number; id: string }>('workflows_select_pages_backwards', page('asc'))

const counted = within(
  (state) =>
    `select x.id from workflow_executions x where x.project_id = $1 and x.workflow_id = q.workflow_id and ${state} limit $4::bigint`,
)

/** How many executions workflows ($2) have, in states ($3, separated by commas, or null), counted up to $4 in each, in the order given. */
export const countPages = statement<{ count: number }>(
  'workflows_count_pages',
  `select (select count(*)::int from (${counted}) c) as count
   from unnest($2::text[], $3::text[]) with ordinality as q(workflow_id, states, ord) order by q.ord`,
)
