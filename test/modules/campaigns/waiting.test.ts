import { expect, test } from 'vitest'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import { cancelCampaign } from '../../../src/modules/campaigns/sending/stop.ts'
import { changeSubscription, deleteContact } from '../../../src/modules/contacts/contacts.ts'
import { asker } from '../../help/ask.ts'
import { counted, deliver, drafted, runUntil, step, withContacts } from '../../help/campaigns.ts'
import { graphql } from '../../help/graphql/index.ts'
import { sendingProject } from '../../help/mails.ts'
import { testServer } from '../../help/server.ts'

const { world, url } = await testServer({ env: { EMAIL_TRANSPORT: 'capture' } })
const query = graphql(`
  query WhatBecame($id: ID!) {
    campaign(id: $id) { stats { totalRecipients sentCount failedCount suppressedCount waitingCount cancelledCount } }
  }
`)

async function statsOf(secret: string, id: string) {
  const { data } = await asker(url, secret)(query, { id })
  const stats = data?.campaign?.stats
  if (!stats) throw new Error('There is no such campaign')
  return stats
}

test('those that wait, left, were withheld or never left are all recipients, also where contacts were deleted', async () => {
  const { ctx, secret } = await sendingProject(world)
  const [first = '', second = ''] = await withContacts(ctx, 4)
  const { id } = await drafted(ctx)
  const none = { totalRecipients: 0, sentCount: 0, failedCount: 0, suppressedCount: 0, waitingCount: 0, cancelledCount: 0 }
  expect(await statsOf(secret, id)).toEqual(none)
  await sendCampaign(ctx, { id })
  await step(world)
  expect(await statsOf(secret, id)).toEqual({ ...none, totalRecipients: 4, waitingCount: 4 })
  await changeSubscription(ctx, { id: first, subscribed: false, source: 'api' })
  await deleteContact(ctx, { id: second })
  await runUntil(world, ctx, id, 'SENT')
  const ended = { ...none, totalRecipients: 4, sentCount: 2, suppressedCount: 1 }
  // What has left may not be counted yet, and is not called cancelled meanwhile.
  expect(await statsOf(secret, id)).toEqual(ended)
  world.clock.turn(10_000)
  expect(await statsOf(secret, id)).toEqual({ ...ended, cancelledCount: 1 })
})

test('what waits of a campaign is cancelled with it', async () => {
  const { ctx, secret } = await sendingProject(world)
  await withContacts(ctx, 10)
  const { id } = await drafted(ctx, { maxPerHour: 3_600 * 3 })
  await sendCampaign(ctx, { id })
  await step(world)
  world.clock.turn(1_000)
  await step(world)
  await deliver(world)
  await counted(world)
  const { sentCount, waitingCount, cancelledCount } = await statsOf(secret, id)
  expect([sentCount > 0, sentCount + waitingCount, cancelledCount]).toEqual([true, 10, 0])
  await cancelCampaign(ctx, { id })
  expect(await statsOf(secret, id)).toMatchObject({ sentCount, waitingCount: 0, cancelledCount: 10 - sentCount })
})
