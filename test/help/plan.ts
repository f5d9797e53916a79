/** The tables of which one project may have any number of rows. */
export const large = new Set([
  ...['contacts', 'contact_events', 'suppressions', 'segment_members', 'events', 'unlogged_events'],
  ...['emails', 'email_contents', 'deliveries', 'campaign_exclusions'],
  ...['workflow_executions', 'workflow_entries', 'workflow_step_executions', 'workflow_lines', 'workflow_calls'],
])

/** A node of a plan of Postgres, as `explain (format json)` says it. */
export interface Plan {
  'Node Type': string
  'Parent Relationship'?: string
  'Join Type'?: string
  'Relation Name'?: string
  Alias?: string
  Filter?: string
  'Join Filter'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}

/** All nodes of a plan. */
export const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
