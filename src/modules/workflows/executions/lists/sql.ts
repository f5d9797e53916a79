import { statement } from '../../../../kit/postgres/db.ts'

// One of each list is read: that of all executions of the workflow, those of the executions in each of some states, or those of a
// contact, each by its index.
function within(rows: (condition: string) => string): string {
  const states = `string_to_array(q.states, ',')::workflow_execution_status[]`
  return `(${rows('q.contact_id is null and q.states is null')}) union all
    (select x.id from unnest(${states}) s(state) cross join lateral (${rows('q.contact_id is null and x.status = s.state')}) x) union all
    (${rows(`x.contact_id = q.contact_id and (q.states is null or x.status = any(${states}))`)})`
}

function page(direction: 'asc' | 'desc'): string {
  const rows = within(
    (state) => `select x.id from workflow_executions x where x.project_id = $1 and x.workflow_id = q.workflow_id and ${state}
       and x.id > q.above and x.id < q.below order by x.id ${direction} limit q.size`,
  )
  return `select q.ord::int as ord, x.id
   from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[]) with ordinality
     as q(workflow_id, states, contact_id, above, below, size, ord)
   cross join lateral (select x.id from (${rows}) x order by x.id ${direction} limit q.size) x order by q.ord, x.id ${direction}`
}

/**
 * Pages of the executions of workflows ($2), newest first: $3 states, separated by commas, or null, $4 a contact or null, between two ids
 * ($5, $6), at most $7 of each. `ord` is the place of the workflow, from 1.
 */
export const selectPages = statement<{ ord: number; id: string }>('workflows_select_pages', page('desc'))

/** The same, oldest first. */
export const selectPagesBackwards = statement<{ ord: number; id: string }>('workflows_select_pages_backwards', page('asc'))

const counted = within(
  (state) =>
    `select x.id from workflow_executions x where x.project_id = $1 and x.workflow_id = q.workflow_id and ${state} limit $5::bigint`,
)

/** How many executions workflows ($2) have, in states ($3, separated by commas, or null) and of a contact ($4, or null), counted up to $5. */
export const countPages = statement<{ count: number }>(
  'workflows_count_pages',
  `select (select count(*)::int from (${counted}) c) as count
   from unnest($2::text[], $3::text[], $4::text[]) with ordinality as q(workflow_id, states, contact_id, ord) order by q.ord`,
)
