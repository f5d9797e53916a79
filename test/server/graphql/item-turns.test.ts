import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { TurnMissed } from '../../../src/kit/turns.ts'
import { executeInItemTurn, patience } from '../../../src/server/graphql/item-turns.ts'
import { hasCalled } from '../../help/callers.ts'
import { appendLines } from '../../help/lines.ts'
import { bearer, connect, watching } from '../../help/live.ts'
import { testServer } from '../../help/server.ts'
import { until } from '../../help/until.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const { url, world } = await testServer({ running: true })
const wanted = { cost: 1, isWanted: () => true }

interface Result {
  data?: { activity: { cursor: string; metadata: { eventName: string } } } | null
  errors?: readonly { extensions?: { code?: string; cursor?: string } }[]
}

async function watch(secret: string, name: string, after?: string): Promise<Result[]> {
  const results: Result[] = []
  const before = await watching(world)
  connect(url, bearer(secret)).client.subscribe(
    { query: `subscription ${name}($after: String) { activity(after: $after) { cursor metadata } }`, variables: { after } },
    { next: (result) => void results.push(result as Result), error: () => undefined, complete: () => undefined },
  )
  await until(async () => (await watching(world)) === before + 1)
  return results
}

/** Holds the turn of a project until told. */
async function holdTurn({ ctx }: Awaited<ReturnType<typeof freshProject>>): Promise<() => void> {
  const [held, began] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  void executeInItemTurn(ctx, wanted, () => {
    began.resolve()
    return held.promise
  })
  await began.promise
  return held.resolve
}

function patient(changed: Partial<typeof patience>): void {
  const before = { ...patience }
  Object.assign(patience, changed)
  onTestFinished(() => void Object.assign(patience, before))
}

const namesOf = (results: Result[]) => results.map(({ data }) => data?.activity.metadata.eventName)

test('what subscriptions select is executed when it is the turn of their project; those of others do not wait', async () => {
  const [mine, other] = [await freshProject(world), await freshProject(world)]
  const ofMine = [await watch(mine.secret, 'A'), await watch(mine.secret, 'B')]
  const ofOther = await watch(other.secret, 'A')
  const release = await holdTurn(mine)
  await appendLines(world, mine.projectId, 'one', 'two')
  await appendLines(world, other.projectId, 'three')
  await until(async () => ofOther.length === 1)
  expect(ofMine.map(namesOf)).toEqual([[], []])
  release()
  await until(async () => ofMine.every((results) => results.length === 2))
  expect(ofMine.map(namesOf)).toEqual([
    ['one', 'two'],
    ['one', 'two'],
  ])
})

test('a subscriber whose turn comes too late is closed with the cursor that leads to the item it was not sent', async () => {
  const project = await freshProject(world)
  const results = await watch(project.secret, 'A')
  await appendLines(world, project.projectId, 'sent')
  await until(async () => results.length === 1)
  const release = await holdTurn(project)
  patient({ maxMs: -1 })
  await appendLines(world, project.projectId, 'late', 'later')
  await until(async () => {
    release()
    return results.length === 2
  })
  const [error] = results[1]?.errors ?? []
  expect(error?.extensions).toMatchObject({ code: 'STREAM_INTERRUPTED', cursor: results[0]?.data?.activity.cursor })
  await until(async () => (await watching(world)) === 0)
  patient({ maxMs: 30_000 })
  const resumed = await watch(project.secret, 'A', error?.extensions?.cursor)
  await until(async () => resumed.length === 2)
  expect(namesOf(resumed)).toEqual(['late', 'later'])
})

test('more than so many of one project do not wait, and what nobody wants any more is not executed', async () => {
  const [project, other] = [await freshProject(world), await freshProject(world)]
  patient({ maxWaiting: 2 })
  const release = await holdTurn(project)
  let isWanted = true
  const waiting = [1, 2].map(() => executeInItemTurn(project.ctx, { cost: 1, isWanted: () => isWanted }, () => 'done'))
  await expect(executeInItemTurn(project.ctx, wanted, () => 'never')).rejects.toBeInstanceOf(TurnMissed)
  expect(await executeInItemTurn(other.ctx, wanted, () => 'done')).toBe('done')
  isWanted = false
  release()
  for (const one of await Promise.allSettled(waiting)) expect(one).toMatchObject({ status: 'rejected', reason: expect.any(TurnMissed) })
  expect(await executeInItemTurn(project.ctx, wanted, () => 'again')).toBe('again')
})

test('after some work its owner rests while others call', async () => {
  const quiet = await testWorld()
  const [mine, other] = [await freshProject(quiet), await freshProject(quiet)]
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const work = (ms: number) => () => {
    const end = performance.now() + ms
    while (performance.now() < end);
  }
  for (let nth = 0; nth < 3; nth++) await executeInItemTurn(mine.ctx, wanted, work(0))
  hasCalled(other.ctx)
  await executeInItemTurn(mine.ctx, wanted, work(10))
  let ran = false
  const next = executeInItemTurn(mine.ctx, wanted, () => {
    ran = true
  })
  await executeInItemTurn(other.ctx, wanted, work(0))
  vi.advanceTimersByTime(29)
  await nextTurn()
  expect(ran).toBe(false)
  vi.advanceTimersByTime(3_000)
  await next
})
