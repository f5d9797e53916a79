import { expect, test } from 'vitest'
import type { World } from '../../../src/kit/world.ts'
import { campaignReader } from '../../../src/modules/campaigns/counts/count.ts'
import { appendEvents } from '../../../src/modules/events/log.ts'
import { advanceReader, type LogReader } from '../../../src/modules/events/reader/reader.ts'
import { continueReset } from '../../../src/modules/resets/erase.ts'
import { deleteProject, resetProject } from '../../../src/modules/resets/resets.ts'
import { reputationReader } from '../../../src/modules/security/count.ts'
import { filledProject } from '../../help/filled.ts'
import { waitsOrEnds } from '../../help/holder.ts'
import { logMails } from '../../help/reputation.ts'
import { logSettled, testWorld } from '../../help/world.ts'

const world = await testWorld()
const { prisma } = world.db

/** A batch of a reader that has done its work, and commits when it is released. */
async function countedBy(reader: LogReader) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: counted, resolve: count } = Promise.withResolvers<void>()
  const transaction: World['db']['transaction'] = (work, tries) =>
    world.db.transaction(async (tx) => {
      const result = await work(tx)
      count()
      await released
      return result
    }, tries)
  await logSettled(world)
  const ended = advanceReader({ ...world, db: { ...world.db, transaction } }, reader)
  await counted
  return { release, ended }
}

test('a reset removes what is counted of a campaign by a batch of the reader that commits meanwhile', async () => {
  const { projectId, owner, ctx } = await filledProject(world)
  const { id: campaignId } = await prisma.campaign.findFirstOrThrow({ where: { projectId } })
  const { id: emailId, contactId } = await prisma.email.findFirstOrThrow({ where: { projectId } })
  await world.db.transaction((tx) =>
    appendEvents(tx, ctx, { projectId, at: world.clock.now(), lines: [{ name: 'email.open', contactId, emailId, data: { campaignId } }] }),
  )
  const reader = await countedBy(campaignReader)
  await resetProject(owner.ctx, { id: projectId })
  const reset = await prisma.reset.findFirstOrThrow({ where: { projectId } })
  world.clock.turn(20_000)
  const emptied = continueReset(world, { projectId, id: reset.id })
  await waitsOrEnds(world, emptied)
  reader.release()
  await Promise.all([emptied, reader.ended])
  expect(await prisma.campaignCount.count({ where: { projectId } })).toBe(0)
})

test('a deletion removes what is counted of a reputation by a batch of the reader that commits meanwhile', async () => {
  const { projectId, owner, ctx } = await filledProject(world)
  await logMails(ctx, { sent: 20, bounces: 2 })
  const reader = await countedBy(reputationReader)
  await deleteProject(owner.ctx, { id: projectId })
  const reset = await prisma.reset.findFirstOrThrow({ where: { projectId } })
  await world.db.prisma.upload.deleteMany({ where: { projectId } })
  const deleted = continueReset(world, { projectId, id: reset.id })
  await waitsOrEnds(world, deleted)
  reader.release()
  await Promise.all([deleted, reader.ended])
  expect(await prisma.project.count({ where: { id: projectId } })).toBe(0)
  expect(await prisma.reputation.count({ where: { projectId } })).toBe(0)
  expect(await prisma.reputationHour.count({ where: { projectId } })).toBe(0)
})
