import { once } from 'node:events'
import { expect, test } from 'vitest'
import { bare } from '../../help/live.ts'
import { testServer } from '../../help/server.ts'
import { until } from '../../help/until.ts'
import { freshProject } from '../../help/world.ts'

const { url, world } = await testServer({ running: true })

test.each(['ping', 'pong'] as const)(
  'a socket that sends more than 200 %s frames in 12 s is closed, and another one is not',
  async (kind) => {
    const { secret } = await freshProject(world)
    const [calm, busy] = [await bare(url, secret), await bare(url, secret)]
    let pongs = 0
    calm.socket.on('pong', () => pongs++)
    for (let at = 0; at < 200; at++) calm.socket[kind]()
    for (let at = 0; at < 201; at++) busy.socket[kind]()
    const [code, reason] = await once(busy.socket, 'close')
    expect([code, String(reason)]).toEqual([1008, 'Too many pings.'])
    if (kind === 'ping') await until(async () => pongs === 200)
    calm.send({ type: 'ping' })
    await until(async () => calm.types.includes('pong'))
  },
)

test('behind its last ping nothing of a socket is answered, and it ends although it does not read its close frame', async () => {
  const { secret } = await freshProject(world)
  const { socket, types, send } = await bare(url, secret)
  let pongs = 0
  socket.on('pong', () => pongs++)
  for (let at = 0; at < 5_000; at++) socket.ping()
  send({ type: 'ping' })
  await once(socket, 'close')
  expect(pongs).toBe(200)
  expect(types).not.toContain('pong')
})
