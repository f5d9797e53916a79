import { type BodyRow, bodiesOf } from '../../../../kit/bodies.ts'
import { statement } from '../../../../kit/postgres/db.ts'
import { bytesOf } from '../../../../kit/postgres/list.ts'

// Records `s` of executions, by "execution record".
const records = `unnest($2::text[]) as k(key) cross join lateral (
     select * from workflow_step_executions o
     where o.project_id = $1 and o.execution_id = split_part(k.key, ' ', 1) and o.id = split_part(k.key, ' ', 2) limit 1) s`

const bodies = (column: string) =>
  bodiesOf(`select k.key as id, s.${column} as value, ${bytesOf(`s.${column}`)} as bytes from ${records} where s.${column} is not null`)

/** What records ($2, by "execution record") were asked to do, as JSON: see bodiesOf. */
export const selectInputs = statement<BodyRow>('workflows_select_inputs', bodies('input'))

/** What they did. */
export const selectOutputs = statement<BodyRow>('workflows_select_outputs', bodies('output'))

/** The emails that records ($2) have sent; null for those that sent none. */
export const selectEmailsOfRecords = statement<{ id: string; emailId: string | null }>(
  'workflows_select_emails_of_records',
  `select k.key as id, case when jsonb_typeof(s.output -> 'emailId') = 'string' then s.output ->> 'emailId' end as "emailId" from ${records}`,
)
