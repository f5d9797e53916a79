import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { statement } from '../../../src/kit/postgres/db.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import { deliver, drafted, step, withContacts } from '../../help/campaigns.ts'
import { sendingProject } from '../../help/mails.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld({ env: { EMAIL_TRANSPORT: 'capture' } })
const quarterMs = 15 * 60_000

const putOff = statement<object>(
  'test_put_off',
  `update deliveries set due = now() + interval '100 days', reason = 'Try again later.' where project_id = $1`,
)

/** A campaign with a rate, and how many of its emails have left in each quarter of an hour, while a mail server is there or not. */
async function paced(count: number, maxPerHour: number) {
  const { ctx, projectId } = await sendingProject(world)
  await withContacts(ctx, count)
  const { id } = await drafted(ctx, { maxPerHour })
  await sendCampaign(ctx, { id })
  const left: number[] = []
  const sent = () => world.db.prisma.email.count({ where: { projectId, status: 'SENT' } })
  let before = 0
  const pass = async (hours: number, served: (ctx: Ctx) => Promise<unknown>) => {
    for (let quarter = 0; quarter < hours * 4; quarter++) {
      await step(world)
      await served(ctx)
      const now = await sent()
      left.push(now - before)
      before = now
      world.clock.turn(quarterMs)
    }
  }
  return { pass, left, sent }
}

const inAnyHour = (left: number[]) => Math.max(...left.map((_, at) => left.slice(at, at + 4).reduce((sum, one) => sum + one, 0)))
const away = async () => undefined

describe('a campaign with a rate per hour', () => {
  test('leaves at that rate', async () => {
    const { pass, left, sent } = await paced(12, 4)
    await pass(4, () => deliver(world))
    expect([inAnyHour(left), await sent()]).toEqual([4, 12])
  })

  test('does not make up for the hours in which the mail server was away', async () => {
    const { pass, left, sent } = await paced(40, 4)
    await pass(5, away)
    expect(await sent()).toBe(0)
    await pass(8, () => deliver(world))
    // The bucket holds one email from the beginning.
    expect(inAnyHour(left)).toBeLessThanOrEqual(5)
    expect(await sent()).toBeGreaterThan(20)
  })

  test('counts those that the mail server has put off, and goes on beside them', async () => {
    const { pass, left, sent } = await paced(40, 4)
    let asked = 0
    await pass(2, async (ctx) => (asked++ < 5 ? world.db.run(putOff, [ctx.projectId]) : deliver(world)))
    const before = await sent()
    await pass(4, () => deliver(world))
    const during = (await sent()) - before
    expect(during).toBeGreaterThan(0)
    expect(during).toBeLessThan(4 * 4)
    world.clock.turn(100 * 24 * 3_600_000)
    left.splice(0)
    await pass(6, () => deliver(world))
    expect(inAnyHour(left)).toBeLessThanOrEqual(5)
  })
})
