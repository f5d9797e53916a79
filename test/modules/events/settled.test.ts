import { expect, test } from 'vitest'
import { hasUnsettledEvents } from '../../../src/modules/events/log.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { world, call } = await testServer()

test('lines of the log are unsettled while a transaction that has begun before them is open', async () => {
  const { ctx, projectId, secret } = await freshProject(world)
  const opened = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const older = world.db.transaction(async ({ client }) => {
    await client.query('select pg_current_xact_id()')
    opened.resolve()
    await ended.promise
  })
  await opened.promise
  await call('POST /v1/track', { email: 'ada@example.com', event: 'seen' }, { key: secret })
  expect(await hasUnsettledEvents({ ...ctx, projectId })).toBe(true)
  ended.resolve()
  await older
  // Transactions of other tests may be open as well.
  await expect.poll(() => hasUnsettledEvents({ ...ctx, projectId })).toBe(false)
})
