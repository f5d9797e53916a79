import type { ExecutionResult } from 'graphql'
import { describe, expect, test } from 'vitest'
import { statement } from '../../src/kit/postgres/db.ts'
import { bearer, connect } from '../help/live.ts'
import { occupyWriting } from '../help/occupied.ts'
import { testServer } from '../help/server.ts'
import { reservedBytes } from '../help/unread.ts'
import { until } from '../help/until.ts'
import { freshProject } from '../help/world.ts'

const { url, world } = await testServer()
const megabyte = 1024 * 1024
const waiting = () => reservedBytes(world, 'waiting_answers')
const fill = statement<object>(
  'test_fill_waiting',
  `insert into contacts (project_id, id, email, subscribed, data, created_at, updated_at)
   select $1, 'cnt_' || lpad(n::text, 26, '0'), n || '@example.com', true, jsonb_build_object('text', repeat('x', 120000)), $2, $2 from generate_series(1, 30) n`,
)

/** A project whose list of contacts has 3.6 MB, and what asks for it over HTTP and over a websocket. */
async function withLarge() {
  const { ctx, projectId, secret } = await freshProject(world)
  await world.db.run(fill, [projectId, world.clock.now()])
  const query = '{ contacts(first: 100) { nodes { data } } }'
  const asks = {
    rest: async () => {
      const response = await fetch(`${url}/contacts?limit=100`, { headers: bearer(secret) })
      const text = await response.text()
      return response.ok ? undefined : JSON.parse(text).error.code
    },
    socket: () =>
      new Promise<unknown>((next, error) => {
        const seen = ({ errors }: ExecutionResult) => next(errors?.[0]?.extensions?.code)
        connect(url, bearer(secret)).client.subscribe(
          { query },
          { next: (result) => seen(result as ExecutionResult), error, complete() {} },
        )
      }),
  }
  return { ctx, asks }
}

describe.each(['rest', 'socket'] as const)('large answers that wait for their turn to be written (%s)', (way) => {
  test('are 32 MB of a project or person: further ones are refused, and those are written', async () => {
    const { ctx, asks } = await withLarge()
    const ended = occupyWriting(ctx)
    const codes: unknown[] = []
    const asked = Array.from({ length: 12 }, async () => void codes.push(await asks[way]()))
    await until(async () => codes.length > 0)
    expect([codes[0], (await waiting()) > 32 * megabyte]).toEqual(['SERVICE_UNAVAILABLE', true])
    // What waits of others is not refused for it.
    const other = await withLarge()
    expect(await other.asks.rest()).toBeUndefined()
    await ended()
    await Promise.allSettled(asked)
    await until(async () => (await waiting()) === 0)
    expect(codes.filter((code) => code === undefined).length).toBeGreaterThan(5)
  })
})

test('large answers to all callers have 96 MB: what waits longest is given up for those that have little', async () => {
  const projects = await Promise.all(Array.from({ length: 7 }, withLarge))
  const ends = projects.map(({ ctx }) => occupyWriting(ctx))
  const codes: unknown[] = []
  const asked = projects.flatMap(({ asks }) => Array.from({ length: 8 }, async () => void codes.push(await asks.rest())))
  await until(async () => codes.length > 20)
  expect(await waiting()).toBeLessThan(192 * megabyte)
  expect(new Set(codes)).toEqual(new Set(['SERVICE_UNAVAILABLE']))
  for (const end of ends) await end()
  await Promise.all(asked)
  expect(codes).toContain(undefined)
})
