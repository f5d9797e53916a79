import { expect, test } from 'vitest'
import type { Database, Executor } from '../../../src/kit/postgres/db.ts'
import { getActivityStats } from '../../../src/modules/activity/stats.ts'
import { getCampaignSummary, listTopCampaigns } from '../../../src/modules/analytics/campaigns.ts'
import { getTimeseries } from '../../../src/modules/analytics/timeseries.ts'
import { listEmails } from '../../../src/modules/emails/emails.ts'
import { listEvents } from '../../../src/modules/events/events.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()

/** The database, which notes the names of the statements that run without a turn. */
function noting(db: Database): { db: Database; withoutTurn: string[] } {
  const withoutTurn: string[] = []
  const run: Executor['run'] = (statement, values) => {
    withoutTurn.push(statement.name)
    return db.run(statement, values)
  }
  return { db: { ...db, run }, withoutTurn }
}

test('what reads many rows for figures and totals takes turns, so that one project has no more of the connections than its share', async () => {
  const { ctx } = await freshProject(world)
  const { db, withoutTurn } = noting(world.db)
  const call = { ...ctx, db }
  await getActivityStats(call, {})
  await getTimeseries(call, { timezone: 'UTC', interval: 'DAY' })
  await listTopCampaigns(call, { limit: 10, metric: 'opens' })
  await getCampaignSummary(call)
  await listEvents(call, { limit: 10 })
  await listEmails(call, { limit: 10 })
  // It reads as many rows as it answers.
  expect(withoutTurn).toEqual(['analytics_list_newest'])
})
