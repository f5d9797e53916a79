import { expect, test } from 'vitest'
import { statement } from '../../../src/kit/postgres/db.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import { countInQueue } from '../../../src/modules/emails/ledger/ledger.ts'
import { addContacts, drafted, step } from '../../help/campaigns.ts'
import { sendingProject } from '../../help/mails.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld()

const deferAll = statement<object>(
  'test_defer_all',
  `update deliveries set due = now() + interval '1 h', reason = 'Try again later.' where project_id = $1`,
)

test('emails that a mail server wants to see later do not keep the others of their campaign from the queue', async () => {
  const { ctx, projectId } = await sendingProject(world)
  await addContacts(ctx, 10_040)
  const { id: campaignId } = await drafted(ctx)
  await sendCampaign(ctx, { id: campaignId })
  const inQueue = () => countInQueue(world.db, { projectId, campaignId })
  await step(world)
  expect(await inQueue()).toEqual({ queued: 10_000, deferred: 0, claimed: 0 })
  await world.db.run(deferAll, [projectId])
  world.clock.turn(1_000)
  await step(world)
  expect(await inQueue()).toEqual({ queued: 10_040, deferred: 10_000, claimed: 0 })
})
