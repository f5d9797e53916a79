import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { callIn } from '../../../src/kit/context.ts'
import { maxCostAtOnce, runInTurn } from '../../../src/server/graphql/turns.ts'
import { asker } from '../../help/ask.ts'
import { hasCalled } from '../../help/callers.ts'
import { testServer } from '../../help/server.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const { url, world } = await testServer()

const large = '{ contacts(first: 100) { nodes { emails(first: 10) { nodes { id } } } } }'
const small = '{ contacts(first: 20) { nodes { id } } }'

test('large operations of a project wait for each other, and hold up neither small ones nor those of other projects', async () => {
  const [mine, other] = [await freshProject(world), await freshProject(world)]
  const held = Promise.withResolvers<void>()
  // As many as there may be of one who calls alone.
  const holding = [1, 2].map(() => runInTurn(callIn(world, { projectId: mine.projectId }), maxCostAtOnce + 1, () => held.promise))
  let answered = 0
  const waiting = [1, 2].map(async () => {
    const reply = await asker(url, mine.secret)(large)
    answered++
    return reply
  })
  expect((await asker(url, mine.secret)(small)).errors).toEqual([])
  const reply = await asker(url, other.secret)(large)
  expect([reply.errors, (reply.extensions.cost?.requested ?? 0) > maxCostAtOnce]).toEqual([[], true])
  for (let nth = 0; nth < 3; nth++) await asker(url, other.secret)(large)
  expect(answered).toBe(0)
  held.resolve()
  await Promise.all(holding)
  for (const one of await Promise.all(waiting)) expect([one.status, one.errors, one.data]).toEqual([200, [], { contacts: { nodes: [] } }])
})

test('of one who calls alone two run at a time, while others call one', async () => {
  const at = await testWorld()
  const [mine, other] = [await freshProject(at), await freshProject(at)]
  // How many of three begin at once; then all go on.
  const begunAtOnce = async () => {
    const held = Promise.withResolvers<void>()
    let begun = 0
    const all = [1, 2, 3].map(() => {
      const work = () => {
        begun++
        return held.promise
      }
      return runInTurn(mine.ctx, maxCostAtOnce + 1, work)
    })
    await nextTurn()
    const atOnce = begun
    held.resolve()
    await Promise.all(all)
    return atOnce
  }
  hasCalled(mine.ctx)
  expect(await begunAtOnce()).toBe(2)
  hasCalled(other.ctx)
  expect(await begunAtOnce()).toBe(1)
})

test('a large operation whose turn does not come fails with a sentence', async () => {
  const { projectId } = await freshProject(world)
  const ctx = { ...callIn(world, { projectId }), left: () => AbortSignal.abort() }
  await expect(runInTurn(ctx, maxCostAtOnce + 1, () => 'never')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(await runInTurn(ctx, maxCostAtOnce, () => 'small')).toBe('small')
})

function keepBusy(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('after a large operation its caller rests while others call, in proportion to what it took of the thread; others do not wait', async () => {
  const [mine, other] = [await freshProject(world), await freshProject(world)]
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const run = (ctx: typeof mine.ctx, busyMs = 0) => runInTurn(ctx, maxCostAtOnce + 1, () => keepBusy(busyMs))
  hasCalled(other.ctx)
  await run(mine.ctx, 20)
  let ran = false
  const next = run(mine.ctx).then(() => {
    ran = true
  })
  await run(other.ctx)
  await nextTurn()
  expect(ran).toBe(false)
  vi.advanceTimersByTime(59)
  await nextTurn()
  expect(ran).toBe(false)
  vi.advanceTimersByTime(5_000)
  await next
})

test('nobody rests who calls alone', async () => {
  const { ctx } = await freshProject(await testWorld())
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  hasCalled(ctx)
  for (let nth = 0; nth < 3; nth++) await runInTurn(ctx, maxCostAtOnce + 1, () => keepBusy(5))
})
