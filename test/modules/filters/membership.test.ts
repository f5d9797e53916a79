import { expect, test } from 'vitest'
import { membershipIn } from '../../../src/modules/filters/membership.ts'
import { createSegment } from '../../../src/modules/segments/segments.ts'
import { findSegmentUses } from '../../../src/modules/segments/usage.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()

type Of = Parameters<typeof membershipIn>[0]

/** Two projects with a segment each; from `hold` on, the statements about the first one take until `end`. */
async function slowAndQuick() {
  const made = async () => {
    const { ctx, projectId } = await freshProject(world)
    return { projectId, id: (await createSegment(ctx, { name: 'Static', type: 'STATIC' })).id }
  }
  const [slow, quick] = [await made(), await made()]
  const ended = Promise.withResolvers<void>()
  let isHeld = false
  const run: typeof world.db.run = async (statement, values) => {
    if (isHeld && values.flat().includes(slow.projectId)) await ended.promise
    return world.db.run(statement, values)
  }
  const watched = { ...world, db: { ...world.db, run } }
  const hold = (): void => {
    isHeld = true
  }
  return { slow: { ...slow, world: watched }, quick: { ...quick, world: watched }, hold, end: ended.resolve }
}

const asks: Record<string, (of: Of & { id: string }) => Promise<() => Promise<unknown>>> = {
  'what a segment is':
    async ({ id, ...of }) =>
    async () =>
      (await membershipIn(of)(id)).kind === 'members',
  'what uses a segment':
    async ({ id, ...of }) =>
    async () =>
      (await findSegmentUses(of, { id })).canDelete,
  'who is no member': async ({ id, ...of }) => {
    const found = await membershipIn(of)(id)
    if (found.kind !== 'members') throw new Error('The segment has stored members')
    return async () => !(await found.has('cnt_none'))
  },
}

test.each(Object.entries(asks))('%s is read for a project while that takes long for another one', async (_what, asker) => {
  const { slow, quick, hold, end } = await slowAndQuick()
  const [askSlow, askQuick] = [await asker(slow), await asker(quick)]
  hold()
  const waiting = askSlow()
  // In the same moment, and later.
  expect(await Promise.all([askQuick(), askQuick()])).toEqual([true, true])
  expect(await askQuick()).toBe(true)
  end()
  expect(await waiting).toBe(true)
})
