import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Statement } from '../src/kit/postgres/db.ts'
import { insertExclusions, selectReasons } from '../src/modules/campaigns/audience/sql.ts'
import { changeSubscriptions, hideContacts } from '../src/modules/contacts/bulk/sql.ts'
import { settleEmails } from '../src/modules/emails/delivery/sql.ts'
import * as ledger from '../src/modules/emails/ledger/sql.ts'
import { insertCapturedEmails } from '../src/modules/emails/mailbox/sql.ts'
import { recordEngagement } from '../src/modules/emails/tracking/sql.ts'
import { removeNewestEventsOfContacts } from '../src/modules/events/erasure/sql.ts'
import { summariseRange } from '../src/modules/events/summary/sql.ts'
import { deleteMembers } from '../src/modules/segments/members/sql.ts'
import { fillTables } from './help/rows.ts'
import { freshDatabase } from './help/world.ts'

const rows = 1_000
const project = 'prj_1'
const campaign = 'campaign_id'
const now = new Date()
const numbered = (name: string) => Array.from({ length: rows }, (_, at) => `${name}_${at + 1}`)
const all = <Value>(value: Value): Value[] => Array.from({ length: rows }, () => value)
const [contacts, emails] = [numbered('contact_id'), numbered('email_id')]
const settled = [all('c'), all('SENT'), all(null), all(null), all(true), all('Hi'), all('email.sent')]
const logged = emails.map((_, at) => JSON.stringify({ eventId: `new_${at}` }))
const lost = emails.map((_, at) => JSON.stringify([{ eventId: `lost_${at}`, data: { copy: 'copy@example.com' } }]))

interface Run {
  statement: Statement<unknown>
  values: unknown[]
  /** What is changed before. */
  before?: string
}

const runs: Run[] = [
  { statement: selectReasons, values: [project, contacts, 'MARKETING'] },
  { statement: insertExclusions, values: [project, 'new', contacts, all('BOUNCED')] },
  { statement: ledger.insertRecipients, values: [project, 'new', contacts, numbered('new'), 'content_id_1', now] },
  { statement: ledger.queueNext, values: [project, campaign, '', rows], before: 'delete from deliveries' },
  { statement: ledger.putAside, values: [project, campaign, 1_000, 0] },
  { statement: ledger.takeBack, values: [project, campaign], before: `update deliveries set due = now(), waits_for = 'CAMPAIGN'` },
  { statement: ledger.cancelNext, values: [project, campaign, '', rows, now] },
  { statement: ledger.unqueue, values: [project, campaign] },
  { statement: ledger.removeRecipients, values: [project, campaign, rows] },
  {
    statement: settleEmails,
    values: [all(project), emails, ...settled, logged, now, 0, all(false), all(false), all(null), all(null), lost],
    before: `update deliveries set claim = 'c'`,
  },
  {
    statement: insertCapturedEmails,
    values: [numbered('cap'), all(project), emails, all('a'), all('b'), all(''), all(Buffer.from('')), now],
  },
  {
    statement: recordEngagement,
    values: [all(project), emails, all('open'), all(null), all(null), numbered('new'), now, '', 'new', now, all(false)],
  },
  { statement: summariseRange, values: [1, '0', '', '9223372036854775807', ''] },
  { statement: changeSubscriptions, values: [project, contacts, false, now] },
  { statement: hideContacts, values: [project, contacts, now] },
  { statement: removeNewestEventsOfContacts, values: [project, contacts, 100] },
  { statement: deleteMembers, values: [project, 'segment_id', contacts] },
]

interface Plan {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: Plan[]
}

/** How many rows a plan has read from tables, or compared. */
function touched(plan: Plan): number {
  const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Join Filter'] ?? 0)
  const read = plan['Relation Name'] === undefined ? 0 : plan['Actual Rows']
  return (read + removed) * plan['Actual Loops'] + (plan.Plans ?? []).reduce((sum, one) => sum + touched(one), 0)
}

const states: [string, (client: pg.Client) => Promise<unknown>][] = [
  ['no statistics', async () => undefined],
  [
    'statistics from before the project was there',
    async (client) => {
      await fillTables(client, { project: 'prj_0', rows })
      await client.query('analyze')
    },
  ],
]

describe.each(states)('with %s', (_state, prepare) => {
  let client: pg.Client
  beforeAll(async () => {
    client = new pg.Client({ connectionString: await freshDatabase() })
    await client.connect()
    await prepare(client)
    await fillTables(client, { project, rows })
  })
  afterAll(() => client.end())

  const plans = ['force_custom_plan', 'force_generic_plan'].flatMap((mode) => runs.map((run) => [run.statement.name, mode, run] as const))

  test.each(plans)('%s (%s) looks its rows up', async (_name, mode, { statement, values, before }) => {
    // Rows refer to what is not there.
    await client.query(`begin; set local session_replication_role = replica; set local plan_cache_mode = ${mode}; ${before ?? ''}`)
    const { rows: plan } = await client.query(`explain (analyze, format json) ${statement.text}`, values)
    await client.query('rollback')
    expect(touched(plan[0]['QUERY PLAN'][0].Plan)).toBeLessThan(30 * rows)
  })
})
