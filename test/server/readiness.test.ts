import { expect, test } from 'vitest'
import { testServer } from '../help/server.ts'
import { until } from '../help/until.ts'

const { call, world } = await testServer()

test('a process whose database hangs is not ready, however often it is asked, and is again when that answers', async () => {
  const { run } = world.db
  const hanging = Promise.withResolvers<void>()
  let pings = 0
  world.db.run = async (statement, values) => {
    if (statement.name === 'system_ping') {
      pings++
      await hanging.promise
    }
    return run(statement, values)
  }
  const answers = await Promise.all([1, 2, 3].map(() => call('GET /readyz')))
  for (const { status, headers, body } of answers)
    expect([status, headers.get('retry-after'), body.error.message]).toEqual([
      503,
      '5',
      'This process has had no answer from the database for 3 seconds.',
    ])
  expect([pings, (await call('GET /healthz')).status]).toEqual([1, 200])
  // Its connection may be half-open: whoever asks next asks over another one.
  const next = call('GET /readyz')
  await until(async () => pings === 2)
  hanging.resolve()
  expect((await next).status).toBe(200)
  expect((await call('GET /readyz')).status).toBe(200)
})
