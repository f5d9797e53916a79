import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { settleEmails } from '../../../../src/modules/emails/delivery/sql.ts'
import { accept, sendingProject } from '../../../help/mails.ts'
import { claim } from '../../../help/workers.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld()

interface Plan {
  'Rows Removed by Join Filter'?: number
  'Actual Loops': number
  Plans?: Plan[]
}

// As on the connections of the queue, whose plans do not depend on statistics.
const options = '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c plan_cache_mode=force_generic_plan'

test('recording outcomes compares no email of the group with the others', async () => {
  const { ctx, projectId } = await sendingProject(world)
  await accept(ctx, { to: Array.from({ length: 10 }, (_, n) => `to${n}@example.com`) })
  const emails = await claim(world, projectId)
  expect(emails).toHaveLength(10)
  const client = new pg.Client({ connectionString: world.databaseUrl, options })
  await client.connect()
  onTestFinished(() => client.end())
  const all = <Value>(value: Value): Value[] => emails.map(() => value)
  const event = emails.map(({ id }) => JSON.stringify({ eventId: id.replace('eml', 'evt') }))
  const values = [
    all(projectId),
    emails.map(({ id }) => id),
    emails.map((email) => email.claim),
    ...[all('SENT'), all(null), all(null), all(true), all('Hi'), all('email.sent'), event],
    world.clock.now(),
    0,
    ...[all(false), all(false), all(null), all(null), all(null)],
  ]
  const { rows } = await client.query(`explain (analyze, format json) ${settleEmails.text}`, values)
  const compared = (plan: Plan): number =>
    (plan['Rows Removed by Join Filter'] ?? 0) * plan['Actual Loops'] + (plan.Plans ?? []).reduce((sum, one) => sum + compared(one), 0)
  expect(compared(rows[0]['QUERY PLAN'][0].Plan)).toBe(0)
})
