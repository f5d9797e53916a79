import { expect, test } from 'vitest'
import { trackEvent } from '../../../src/modules/contacts/track.ts'
import { appendEvents } from '../../../src/modules/events/log.ts'
import { asker } from '../../help/ask.ts'
import { bearer, connect } from '../../help/live.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { url, world } = await testServer({ running: true })
const list = '{ activityCursor activity(first: 10) { nodes { metadata } } }'
const stream = (after: string) => ({ query: `subscription { activity(after: "${after}") { metadata } }` })

interface Listed {
  activityCursor: string
  activity: { nodes: { metadata: { eventName: string } }[] }
}

test('from activityCursor on, the stream sends what a list that is read after it does not have', async () => {
  const { ctx, projectId, secret } = await freshProject(world)
  const ask = asker(url, secret)
  await trackEvent(ctx, { email: 'ada@example.com', event: 'before' })
  let listed: Listed | null = null
  // What is committed later than the cursor was read, by a transaction that began before it.
  await world.db.transaction(async (tx) => {
    await appendEvents(tx, world, { projectId, at: world.clock.now(), lines: [{ name: 'open' }] })
    listed = (await ask<Listed>(list)).data
  })
  await trackEvent(ctx, { email: 'ada@example.com', event: 'after' })
  const { activityCursor, activity } = listed as unknown as Listed
  expect(activity.nodes.map(({ metadata }) => metadata.eventName)).toEqual(['before'])
  const live = connect(url, bearer(secret)).client.iterate<{ activity: Listed['activity']['nodes'][number] }>(stream(activityCursor))
  const seen = new Set<string>()
  while (!seen.has('after')) seen.add((await live.next()).value?.data?.activity.metadata.eventName ?? 'nothing')
  expect([...seen].filter((name) => name !== 'before')).toEqual(['open', 'after'])
})
