import { expect, test } from 'vitest'
import type { Executor, Statement } from '../../../../src/kit/postgres/db.ts'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import { claimTurns, undoClaims } from '../../../../src/modules/emails/queue/sql.ts'
import { accept, sendingProject, turnAndSweep } from '../../../help/mails.ts'
import { claim, claimed, twoWorkers } from '../../../help/workers.ts'

const { world, stop } = await twoWorkers()

/** Loses the answer of the next claim. Returns what lets Postgres run its statement, as late as a test wants. */
function loseNextClaim(): { arrive(): Promise<unknown[]> } {
  const { lookups } = world.db
  const run = lookups.run.bind(lookups)
  let arrive = async (): Promise<unknown[]> => {
    throw new Error('nothing was claimed')
  }
  lookups.run = async (asked, values) => {
    if (asked.name !== claimTurns.name) return run(asked, values)
    lookups.run = run
    // The clock is that of Postgres when the statement arrives.
    arrive = () => run(asked, values.with(7, world.clock.aheadMs))
    throw new Error('Connection terminated unexpectedly')
  }
  return { arrive: () => arrive() }
}

/** Counts the statements of a kind from now on. */
function countRuns({ name }: Statement<unknown>): () => number {
  const { lookups } = world.db
  const run: Executor['run'] = lookups.run.bind(lookups)
  let count = 0
  lookups.run = (asked, values) => {
    if (asked.name === name) count++
    return run(asked, values)
  }
  return () => count
}

test('a claim whose answer was lost is undone: its emails are claimed again, and that attempt is not counted', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const { id } = await accept(ctx)
  const lost = loseNextClaim()
  await expect(claim(world, projectId)).rejects.toThrow('terminated')
  await lost.arrive()
  expect(await claim(world, projectId)).toMatchObject([{ id, attempts: 1 }])
})

test('a claim that is committed only after it was undone is undone again by the sweeps; what is held meanwhile stays held', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const held = await accept(ctx)
  const mine = await claimed(world, projectId)
  const { id } = await accept(ctx, { to: 'bob@example.com' })
  const lost = loseNextClaim()
  await expect(claim(world, projectId)).rejects.toThrow('terminated')
  // Undoes it before it was committed.
  await claim(world, (await sendingProject(world)).projectId)
  await lost.arrive()
  expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENDING', attempts: 1 })
  await turnAndSweep(world, 0)
  expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENT', attempts: 1 })
  expect([mine.lost, await getEmail(ctx, { id: held.id })]).toMatchObject([false, { status: 'SENDING', attempts: 1 }])
})

test('a claim that arrives after the lease under which it was made has ended takes nothing, and is not undone for ever', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const { id } = await accept(ctx)
  const lost = loseNextClaim()
  await expect(claim(world, projectId)).rejects.toThrow('terminated')
  const undone = countRuns(undoClaims)
  await claim(world, (await sendingProject(world)).projectId)
  await stop()
  await lost.arrive()
  expect([undone(), await getEmail(ctx, { id })]).toMatchObject([1, { status: 'PENDING', attempts: 0 }])
  await turnAndSweep(world, 70_000)
  expect(undone()).toBe(2)
  await turnAndSweep(world, 0)
  expect([undone(), await getEmail(ctx, { id })]).toMatchObject([2, { status: 'SENT', attempts: 1 }])
})

test('a claim that Postgres has refused needs no undoing', async () => {
  const { ctx, projectId } = await sendingProject(world)
  await accept(ctx)
  const { lookups } = world.db
  const run = lookups.run.bind(lookups)
  lookups.run = async (asked, values) => {
    if (asked.name !== claimTurns.name) return run(asked, values)
    lookups.run = run
    return run(asked, values.with(6, 'not a rate'))
  }
  await expect(claim(world, projectId)).rejects.toThrow('not a rate')
  const undone = countRuns(undoClaims)
  expect(await claim(world, projectId)).toHaveLength(1)
  expect(undone()).toBe(0)
})
