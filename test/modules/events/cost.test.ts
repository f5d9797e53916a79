import pg from 'pg'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { idRange, lowestId } from '../../../src/kit/ids.ts'
import { windowSql } from '../../../src/kit/postgres/list.ts'
import { deleteContact } from '../../../src/modules/contacts/contacts.ts'
import { listEvents } from '../../../src/modules/events/events.ts'
import { eventListSql } from '../../../src/modules/events/sql.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()
const project = await freshProject(world)
const { projectId, ctx } = project
const dayMs = 86_400_000
const perDay = 1_000
const days = 20
const began = Date.UTC(2026, 0, 1)
const contactOf = (n: number) => `cnt_${String(n).padStart(26, '0')}`

interface Plan {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Relation Name'?: string
  Plans?: Plan[]
}

/** How many rows of the log a page reads, by the plan of Postgres. */
async function looked(filter: object): Promise<number> {
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  onTestFinished(() => client.end())
  const { sql, values } = windowSql(eventListSql, filter, { orderBy: { id: 'desc' }, where: {} })
  const { rows } = await client.query(`explain (analyze, format json) ${sql}`, [projectId, 21, ...values])
  const count = (plan: Plan): number => {
    const own =
      plan['Relation Name'] === 'events' ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] : 0
    return own + (plan.Plans ?? []).reduce((sum, one) => sum + count(one), 0)
  }
  return count(rows[0]?.['QUERY PLAN'][0].Plan as Plan)
}

beforeAll(async () => {
  const at = Array.from({ length: days * perDay }, (_, n) => new Date(began + Math.floor((n * dayMs) / perDay)))
  const contact = at.map((_, n) => contactOf(n % 10))
  const now = world.clock.now()
  await world.db.prisma.contact.createMany({
    data: Array.from({ length: 10 }, (_, n) => ({
      projectId,
      id: contactOf(n),
      email: `c${n}@example.com`,
      createdAt: now,
      updatedAt: now,
    })),
  })
  await world.db.prisma.event.createMany({
    data: at.map((createdAt, n) => ({ projectId, id: lowestId('event', createdAt), name: 'seen', contactId: contact[n], createdAt })),
  })
  await world.db.prisma.$executeRawUnsafe('vacuum analyze')
})

describe('a page of the log', () => {
  test.each([0, 10, 19])('of day %d reads no line of another day', async (day) => {
    const from = new Date(began + day * dayMs)
    const to = new Date(began + (day + 1) * dayMs)
    expect(await looked({ from, to, ...idRange('event', from, to) })).toBeLessThanOrEqual(perDay + 2)
    const { data, total } = await listEvents(ctx, { limit: 100, from, to })
    expect([total, data[0]?.createdAt, data.length]).toEqual([perDay, new Date(to.getTime() - dayMs / perDay), 100])
  })

  test('reads each line once, however many contacts are being removed', async () => {
    expect(await looked({})).toBeLessThan(30)
    for (let n = 0; n < 9; n++) await deleteContact(ctx, { id: contactOf(n) })
    expect(await looked({})).toBeLessThanOrEqual(211)
    const { data, total } = await listEvents(ctx, { limit: 20 })
    expect([data.length, new Set(data.map(({ contactId }) => contactId)), total]).toEqual([
      20,
      new Set([contactOf(9)]),
      (days * perDay) / 10,
    ])
    await deleteContact(ctx, { id: contactOf(9) })
    expect(await looked({})).toBe(2_000)
  })
})
