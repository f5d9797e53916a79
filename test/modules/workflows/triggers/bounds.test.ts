import { expect, test } from 'vitest'
import { appendEvents } from '../../../../src/modules/events/log.ts'
import { advanceReader } from '../../../../src/modules/events/reader/reader.ts'
import { updateWorkflow } from '../../../../src/modules/workflows/changes.ts'
import { maxWorkflowsPerEvent } from '../../../../src/modules/workflows/shapes.ts'
import { followEvents, maxPerBatch, triggerReader } from '../../../../src/modules/workflows/triggers/triggers.ts'
import { asker } from '../../../help/ask.ts'
import { graphql } from '../../../help/graphql/gql.ts'
import { testServer } from '../../../help/server.ts'
import { drawn, enable, step } from '../../../help/workflows.ts'
import { freshProject, logSettled } from '../../../help/world.ts'

const { call, url, world } = await testServer()
await followEvents(world)

test('one transaction handles no more lines than start and end 2,000 executions', async () => {
  const { projectId } = await freshProject(world)
  const now = world.clock.now()
  // More of them than one event may start now: those that were enabled before there was a limit.
  await world.db.prisma.workflow.createMany({
    data: Array.from({ length: 60 }, (_, at) => ({
      ...{ projectId, id: `wfl_${at}`, name: 'Old', enabled: true, createdAt: now, updatedAt: now },
      ...(at < 50 ? { eventName: 'busy' } : { eventName: 'other', exitEvents: ['busy'] }),
    })),
  })
  const lines = Array.from({ length: 100 }, (_, at) => ({ name: 'busy', contactId: `cnt_${at}` }))
  await appendEvents(world.db, projectId, now, lines)
  await logSettled(world)
  const counts: number[] = []
  const counting = {
    ...triggerReader,
    handle: async (...[, { count }]: Parameters<typeof triggerReader.handle>) => void counts.push(count),
  }
  while (await advanceReader(world, counting));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(lines.length)
  expect(Math.max(...counts) * 60).toBeLessThanOrEqual(maxPerBatch)
  expect(Math.max(...counts)).toBeGreaterThan(10)
})

test('nor than wake 2,000', async () => {
  const { projectId } = await freshProject(world)
  const now = world.clock.now()
  // Each contact waits in 50 workflows.
  await world.db.prisma.workflowExecution.createMany({
    data: Array.from({ length: 5_000 }, (_, at) => ({
      ...{ projectId, id: `exe_${at}`, workflowId: `wfl_${at % 50}`, version: 1, contactId: `cnt_${Math.floor(at / 50)}` },
      ...{ status: 'WAITING' as const, waitsFor: 'paid', startedAt: now, updatedAt: now },
    })),
  })
  const lines = Array.from({ length: 100 }, (_, at) => ({ name: 'paid', contactId: `cnt_${at}` }))
  await appendEvents(world.db, projectId, now, lines)
  await logSettled(world)
  const counts: number[] = []
  const counting = {
    ...triggerReader,
    handle: async (...[, { count }]: Parameters<typeof triggerReader.handle>) => void counts.push(count),
  }
  while (await advanceReader(world, counting));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(lines.length)
  expect(Math.max(...counts) * 50).toBeLessThanOrEqual(maxPerBatch)
  expect(Math.max(...counts)).toBeGreaterThan(10)
})

const Enable = graphql(`mutation EnableBeyondTheLimit($id: ID!) { updateWorkflow(input: { id: $id, enabled: true }) { workflow { id } } }`)

test('an event starts at most 20 enabled workflows of a project, however many are enabled at once', async () => {
  const project = await freshProject(world)
  const { ctx, projectId, secret: key } = project
  const now = world.clock.now()
  await world.db.prisma.workflow.createMany({
    data: Array.from({ length: maxWorkflowsPerEvent - 1 }, (_, at) => ({
      ...{ projectId, id: `wfl_${at}`, name: 'Early', enabled: true, eventName: 'signed-up', createdAt: now, updatedAt: now },
    })),
  })
  const late = await Promise.all(['a', 'b', 'c'].map((name) => drawn(ctx, { name })))
  for (const one of late) await step(ctx, one)
  const outcomes = await Promise.allSettled(late.map((one) => enable(ctx, one)))
  const refused = late.filter((_, at) => outcomes[at]?.status === 'rejected')
  expect(refused).toHaveLength(2)
  const [one = { id: '' }, other = { id: '' }] = refused
  const detail = `The event "signed-up" starts 20 enabled workflows of this project; the maximum is 20.`
  const { status, body } = await call(`PATCH /workflows/${one.id}`, { enabled: true }, { key })
  expect([
    status,
    JSON.stringify(body).includes('LIMIT_REACHED'),
    JSON.stringify(body).includes(JSON.stringify(detail).slice(1, -1)),
  ]).toEqual([409, true, true])
  const { errors } = await asker(url, key)(Enable, { id: one.id })
  expect(errors).toMatchObject([{ message: detail, extensions: { code: 'LIMIT_REACHED' } }])
  // Nor by another event, or by what was MANUAL.
  await updateWorkflow(ctx, { id: one.id, triggerConfig: { eventName: 'free' }, enabled: true })
  await expect(updateWorkflow(ctx, { id: one.id, triggerConfig: { eventName: 'signed-up' } })).rejects.toThrow(detail)
  await updateWorkflow(ctx, { id: other.id, triggerType: 'MANUAL', enabled: true })
  await expect(updateWorkflow(ctx, { id: other.id, triggerType: 'EVENT' })).rejects.toThrow(detail)
  // Those that it starts can still be changed, and make room.
  const kept = late.find(({ id }) => id !== one.id && id !== other.id) ?? { id: '' }
  await updateWorkflow(ctx, { id: kept.id, name: 'Renamed' })
  await updateWorkflow(ctx, { id: kept.id, enabled: false })
  await expect(updateWorkflow(ctx, { id: other.id, triggerType: 'EVENT' })).resolves.toMatchObject({ enabled: true })
})
