import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { statement } from '../../../src/kit/postgres/db.ts'
import { getBillingConsumption } from '../../../src/modules/billing/consumption.ts'
import { updateBillingLimits } from '../../../src/modules/billing/limits.ts'
import { monthsOf } from '../../../src/modules/billing/stripe/sync.ts'
import { accept, sendingProject } from '../../help/mails.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld()
const datesOf = statement<{ one: string; many: string }>('test_dates_of', 'select $1::date::text as one, $2::date[]::text as many', {
  allProjects: 'it reads no table',
})

describe.each(['America/New_York', 'Asia/Tokyo', 'UTC'])('where the time zone of the process is %s', (zone) => {
  const before = process.env.TZ
  beforeAll(() => {
    process.env.TZ = zone
  })
  afterAll(() => {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  })

  test('emails count in the month that caps and usage are read of', async () => {
    const { ctx } = await sendingProject(world)
    const id = ctx.projectId
    for (const to of ['a@example.com', 'b@example.com', 'c@example.com']) await accept(ctx, { to })
    expect((await getBillingConsumption(ctx, { id })).usage.total).toBe(3)
    await updateBillingLimits(ctx, { id, transactional: 3 })
    await expect(accept(ctx, { to: 'd@example.com' })).rejects.toMatchObject({
      code: 'BILLING_LIMIT_EXCEEDED',
      message: expect.stringContaining('3 used'),
    })
  })

  test('the first of a month is that in the database', async () => {
    const [found] = await world.db.run(datesOf, [monthsOf(new Date('2026-11-28T12:00:00Z'))[1], monthsOf(new Date('2026-11-28T12:00:00Z'))])
    expect(found).toEqual({ one: '2026-11-01', many: '{2026-10-01,2026-11-01}' })
  })
})
