import { afterEach, describe, expect, test } from 'vitest'
import { type Outbound, OutboundError } from '../../../../src/kit/outbound.ts'
import { callDue, callsIdle, startCaller } from '../../../../src/modules/workflows/calls/worker.ts'
import { advanceDue, runnerIdle } from '../../../../src/modules/workflows/run/worker.ts'
import { until } from '../../../help/until.ts'
import { hooked, seen, start } from '../../../help/webhooks.ts'
import { callAll, runAll } from '../../../help/workflows.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

// Receivers whose name begins with `slow` answer when the test says so, all others at once.
const waiting = new Set<{ host: string; id: string; answer: (status: number) => void }>()
const ids: string[] = []
const outbound: Outbound = {
  get: () => Promise.reject(new Error('Nothing is fetched')),
  send({ url, headers }, { signal }) {
    const { host } = new URL(url)
    const id = headers['webhook-id'] ?? ''
    ids.push(id)
    const answered = (status: number) => ({ status, headers: {}, body: Buffer.alloc(0), end: 'complete' as const })
    if (!host.startsWith('slow')) return Promise.resolve(answered(200))
    return new Promise((resolve, reject) => {
      const one = {
        host,
        id,
        answer(status: number) {
          waiting.delete(one)
          resolve(answered(status))
        },
      }
      waiting.add(one)
      signal?.addEventListener('abort', () => {
        waiting.delete(one)
        reject(new OutboundError('unavailable', 'slow cannot be reached: it was interrupted.'))
      })
    })
  },
}
const world = await testWorld({ outbound })
const other = await testWorld({ outbound, databaseUrl: world.databaseUrl })

const under = (host: string) => [...waiting].filter((one) => one.host === host).length

async function advanceAll(): Promise<void> {
  while (await advanceDue(world)) await runnerIdle(world)
}

/** Claims what is due, and waits until as many receivers as expected have been called: two, and the others when these were slow. */
async function begin(expected: number): Promise<void> {
  while (await callDue(world));
  if (expected > 2) {
    await until(async () => waiting.size >= 2)
    world.clock.turn(1_000)
    while (await callDue(world));
  }
  await until(async () => waiting.size >= expected)
}

afterEach(async () => {
  for (const one of waiting) one.answer(200)
  await callsIdle(world)
  await world.db.prisma.$executeRawUnsafe('delete from workflow_calls')
  ids.length = 0
})

describe('receivers that do not answer', () => {
  test('hold eight places of a project, and neither the webhooks nor the other steps of others', async () => {
    const { ctx } = await freshProject(world)
    const slow = await hooked(ctx, { url: 'http://slow-1.test/' })
    for (let more = 1; more < 12; more++) await start(ctx, slow)
    await advanceAll()
    await begin(8)
    expect(under('slow-1.test')).toBe(8)
    const victim = await freshProject(world)
    const quick = await hooked(victim.ctx, { url: 'http://quick.test/' })
    await advanceAll()
    while (await callDue(world));
    await until(async () => (await seen(quick)).did.status === 'COMPLETED')
    await advanceAll()
    expect(await seen(quick)).toMatchObject({ status: 'EXITED', exitReason: 'done' })
    expect(under('slow-1.test')).toBe(8)
    for (const one of waiting) one.answer(200)
    await callsIdle(world)
    await begin(4)
    expect([under('slow-1.test'), new Set(ids).size]).toEqual([4, 13])
  })
})

describe('another worker', () => {
  test('leaves a webhook that is being called alone until its lease has run out, and then sends the same one', async () => {
    const { ctx } = await freshProject(world)
    const one = await hooked(ctx, { url: 'http://slow.test/' })
    await advanceAll()
    await begin(1)
    expect(await callDue(other)).toBe(false)
    other.clock.turn(60_000)
    expect(await callDue(other)).toBe(true)
    await until(async () => waiting.size === 2)
    const [first, second] = waiting
    first?.answer(500)
    await callsIdle(world)
    expect(await seen(one)).toMatchObject({ status: 'RUNNING', did: { status: 'RUNNING', attempts: 2 } })
    second?.answer(200)
    await callsIdle(other)
    await runAll(other)
    const { exitReason, output } = await seen(one)
    expect([exitReason, new Set(ids).size, output.statusCode]).toEqual(['done', 1, 200])
    expect(output.attempts).toMatchObject([
      { error: 'The process that called ended before it could record the answer.' },
      { statusCode: 200 },
    ])
  })

  test('gives up a webhook whose process ended six times while it called', async () => {
    const { ctx, projectId } = await freshProject(world)
    const one = await hooked(ctx, { url: 'http://quick.test/' })
    await advanceAll()
    await world.db.prisma.workflowCall.updateMany({ where: { projectId }, data: { attempts: 6, request: '{}' } })
    await callAll(world)
    expect(await seen(one)).toMatchObject({
      status: 'FAILED',
      exitReason: expect.stringContaining('ended before it could record the answer'),
    })
    expect(ids).toEqual([])
  })

  test('removes a webhook that was left behind by its execution', async () => {
    const { ctx, projectId } = await freshProject(world)
    const { executionId } = await hooked(ctx, { url: 'http://quick.test/' })
    await advanceAll()
    await world.db.prisma.workflowExecution.updateMany({ where: { projectId }, data: { status: 'CANCELLED', claim: null } })
    await callAll(world)
    expect(await world.db.prisma.workflowCall.count({ where: { projectId, executionId } })).toBe(0)
    expect(ids).toEqual([])
  })

  test('takes over at once what a process that stops has not called or given up after 5 s, uncounted', async () => {
    const third = await testWorld({ outbound, databaseUrl: world.databaseUrl })
    const { ctx, projectId } = await freshProject(world)
    const quick = await hooked(ctx, { url: 'http://slow-a.test/' })
    const hanging = await hooked(ctx, { url: 'http://slow-b.test/' })
    await advanceAll()
    startCaller(third)
    await until(async () => waiting.size === 2)
    third.announceClosing()
    for (const one of waiting) if (one.host === 'slow-a.test') one.answer(200)
    await callsIdle(third)
    expect(await seen(quick)).toMatchObject({ did: { status: 'COMPLETED' } })
    expect(await seen(hanging)).toMatchObject({ status: 'RUNNING', did: { status: 'RUNNING', output: { attempts: [] } } })
    expect(await world.db.prisma.workflowCall.findMany({ where: { projectId } })).toMatchObject([{ claim: null, attempts: 0 }])
    await begin(1)
    for (const one of waiting) one.answer(200)
    await callsIdle(world)
    await runAll(world)
    expect(await seen(hanging)).toMatchObject({ exitReason: 'done', did: { attempts: 1 } })
    expect(new Set(ids).size).toBe(2)
  })
})
