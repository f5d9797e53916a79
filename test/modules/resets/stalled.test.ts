import { expect, test } from 'vitest'
import type { World } from '../../../src/kit/world.ts'
import { continueReset, stillRunning } from '../../../src/modules/resets/erase.ts'
import { resetProject } from '../../../src/modules/resets/resets.ts'
import type { ProjectResetJob } from '../../../src/modules/resets/shapes.ts'
import { holdRunning } from '../../../src/modules/resets/sql.ts'
import { filledProject, fillProject, rowsOf } from '../../help/filled.ts'
import { waitsOrEnds } from '../../help/holder.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld()
const { prisma } = world.db

/** A process that stands still before it asks the database for the n-th time, until it is released. */
function standingStill(n: number, released: Promise<void>) {
  const { promise: stands, resolve: stand } = Promise.withResolvers<void>()
  let asked = 0
  const turn = async (): Promise<void> => {
    if (++asked !== n) return
    stand()
    await released
  }
  const db: World['db'] = {
    ...world.db,
    run: async (...given) => {
      await turn()
      return world.db.run(...given)
    },
    transaction: async (...given) => {
      await turn()
      return world.db.transaction(...given)
    },
  }
  return { stands, process: { ...world, db } }
}

async function beginReset(): Promise<Awaited<ReturnType<typeof filledProject>> & { reset: ProjectResetJob }> {
  const project = await filledProject(world)
  await resetProject(project.owner.ctx, { id: project.projectId })
  const { id } = await prisma.reset.findFirstOrThrow({ where: { projectId: project.projectId } })
  world.clock.turn(15_000)
  return { ...project, reset: { projectId: project.projectId, id } }
}

const isRunning = async (projectId: string) => (await prisma.reset.count({ where: { projectId, finishedAt: null } })) > 0

test('a process that stands still for longer than its job lasts removes nothing that is accepted after another has ended the reset', async () => {
  const project = await beginReset()
  const { projectId, reset } = project
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const late: Promise<void>[] = []
  for (let n = 1; await isRunning(projectId); n++) {
    const { stands, process } = standingStill(n, released)
    const continued = continueReset(process, reset)
    late.push(continued)
    await Promise.race([stands, continued])
  }
  expect(late.length).toBeGreaterThan(40)
  await fillProject(world, project)
  const accepted = await rowsOf(world, projectId)
  release()
  await Promise.all(late)
  expect(await rowsOf(world, projectId)).toEqual(accepted)
})

test('a reset ends after removals of it that have begun, and records progress beside them', async () => {
  const { projectId, reset } = await beginReset()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: stands, resolve: stand } = Promise.withResolvers<void>()
  const transaction: World['db']['transaction'] = (work, tries) =>
    world.db.transaction(async (tx) => {
      const run: typeof tx.run = async (one, values) => {
        const rows = await tx.run(one, values)
        if (one.name !== holdRunning.name) return rows
        stand()
        await released
        return rows
      }
      return work({ ...tx, run })
    }, tries)
  const removing = continueReset({ ...world, db: { ...world.db, transaction } }, reset)
  await stands
  const other = continueReset(world, reset)
  await waitsOrEnds(world, other)
  expect(await prisma.contact.count({ where: { projectId } })).toBe(0)
  expect(await stillRunning(world, reset)).toMatchObject({ id: reset.id })
  release()
  await Promise.all([removing, other])
  expect(await isRunning(projectId)).toBe(false)
})
