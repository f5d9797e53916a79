import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { EventName } from '../../../src/modules/events/shapes.ts'
import { addSegmentMembers } from '../../../src/modules/segments/members/members.ts'
import { nameAllSegments } from '../../../src/modules/segments/members/names.ts'
import { createSegment, deleteSegment, getSegment, updateSegment } from '../../../src/modules/segments/segments.ts'
import type { SegmentDraft } from '../../../src/modules/segments/shapes.ts'
import { computeSegment } from '../../../src/modules/segments/tracking/compute.ts'
import { findSegmentUses } from '../../../src/modules/segments/usage.ts'
import { updateWorkflow } from '../../../src/modules/workflows/changes.ts'
import { cancelWorkflowExecution } from '../../../src/modules/workflows/executions/cancel.ts'
import { startWorkflowExecution } from '../../../src/modules/workflows/executions/start.ts'
import { updateWorkflowStep } from '../../../src/modules/workflows/graph/steps.ts'
import { asker } from '../../help/ask.ts'
import { graphql } from '../../help/graphql/index.ts'
import { testServer } from '../../help/server.ts'
import { drawn, enable, step } from '../../help/workflows.ts'
import { freshProject } from '../../help/world.ts'

const { url, world } = await testServer()
const { prisma } = world.db
const Events = graphql(`query EventsOfSegment($id: ID!) { segment(id: $id) { entryEvent exitEvent } }`)
const pro = { field: 'data.plan', operator: 'equals', value: 'pro' } as const

async function project() {
  const made = await freshProject(world)
  const ask = asker(url, made.secret)
  const eventOf = async ({ id }: { id: string }) => (await ask(Events, { id })).data?.segment?.entryEvent
  const logged = async () => {
    const where = { projectId: made.projectId, name: { startsWith: 'segment.' } }
    return (await prisma.event.findMany({ where, select: { name: true }, orderBy: { id: 'asc' } })).map(({ name }) => name)
  }
  return { ...made, ask, eventOf, logged }
}

test('no two segments of a project have the same events, and a new name gives them others', async () => {
  const { ctx, ask, eventOf, logged } = await project()
  await upsertContact(ctx, { email: 'ada@example.com', data: { plan: 'pro' } })
  const vip = await createSegment(ctx, { name: 'VIP', condition: pro, trackMembership: true })
  const others = await Promise.all([1, 2].map(() => createSegment(ctx, { name: 'vip!', type: 'STATIC' })))
  expect(await Promise.all([vip, ...others].map(eventOf))).toEqual(
    expect.arrayContaining(['', '-2', '-3'].map((nth) => `segment.vip${nth}.entry`)),
  )
  const [second = vip] = others
  await updateSegment(ctx, { id: second.id, name: 'Vip' })
  const kept = await eventOf(second)
  expect(kept).toMatch(/^segment\.vip-[23]\.entry$/)
  await computeSegment(ctx, { id: vip.id })
  await addSegmentMembers(ctx, { id: second.id, emails: ['ada@example.com'] })
  expect(await logged()).toEqual(['segment.vip.entry', kept])
  await updateSegment(ctx, { id: vip.id, name: 'Good customers' })
  expect((await ask(Events, { id: vip.id })).data?.segment).toEqual({
    entryEvent: 'segment.good-customers.entry',
    exitEvent: 'segment.good-customers.exit',
  })
  expect(await eventOf(second)).toBe(kept)
  expect(await eventOf(await createSegment(ctx, { name: 'VIP', type: 'STATIC' }))).toBe('segment.vip.entry')
})

test('a segment made by an older version of the server has the events of its name, which no other gets', async () => {
  const { ctx, eventOf, logged } = await project()
  await upsertContact(ctx, { email: 'ada@example.com' })
  const old = await createSegment(ctx, { name: 'VIP', type: 'STATIC' })
  await prisma.segment.updateMany({ where: { projectId: ctx.projectId, id: old.id }, data: { slug: null } })
  expect(await eventOf(old)).toBe('segment.vip.entry')
  expect(await eventOf(await createSegment(ctx, { name: 'VIP', type: 'STATIC' }))).toBe('segment.vip-2.entry')
  await addSegmentMembers(ctx, { id: old.id, emails: ['ada@example.com'] })
  expect(await logged()).toEqual(['segment.vip.entry'])
})

describe('segments made by older versions of the server', () => {
  async function madeBefore(ctx: Ctx, drafts: SegmentDraft[]) {
    const made = []
    for (const draft of drafts) made.push(await createSegment(ctx, draft))
    await prisma.segment.updateMany({ where: { projectId: ctx.projectId }, data: { slug: null } })
    return made
  }

  test.each([
    ['a worker', (_ctx: Ctx) => nameAllSegments(world)],
    ['the next change', (ctx: Ctx) => createSegment(ctx, { name: 'New', type: 'STATIC' })],
  ])('are named by %s: they keep their events, of several the oldest that logs any', async (_who, name) => {
    const { ctx, eventOf } = await project()
    const names = ['VIP', 'vip', 'Vip', 'Gekündigt', '日本']
    const made = await madeBefore(ctx, [{ name: 'VIP', condition: pro }, ...names.map((each) => ({ name: each, type: 'STATIC' as const }))])
    await prisma.segment.updateMany({ where: { projectId: ctx.projectId, name: 'Vip' }, data: { slug: 'vip-2' } })
    await name(ctx)
    expect(await prisma.segment.count({ where: { projectId: ctx.projectId, slug: null } })).toBe(0)
    const slugs = ['vip-4', 'vip', 'vip-3', 'vip-2', 'gekndigt', made.at(-1)?.id]
    expect(await Promise.all(made.map(eventOf))).toEqual(slugs.map((slug) => `segment.${slug}.entry`))
  })

  test('are protected before they are named', async () => {
    const { ctx } = await project()
    const [segment = { id: '' }] = await madeBefore(ctx, [{ name: 'Gekündigt', type: 'STATIC' }])
    const workflow = await drawn(ctx, { eventName: 'segment.gekndigt.entry' })
    await step(ctx, workflow)
    await enable(ctx, workflow)
    await expect(updateSegment(ctx, { id: segment.id, name: 'Neu' })).rejects.toMatchObject({ code: 'SEGMENT_IN_USE' })
    await expect(deleteSegment(ctx, segment)).rejects.toMatchObject({ code: 'SEGMENT_IN_USE' })
  })
})

test.each([
  ['starts', { eventName: 'segment.vip.entry' }],
  ['ends', { eventName: 'signed-up', exitEvents: ['segment.vip.exit'] }],
  ['goes on', { eventName: 'signed-up' }, { type: 'WAIT_FOR_EVENT', config: { eventName: 'segment.vip.entry', timeout: 60 } } as const],
])('a segment is neither deleted nor given other events while an enabled workflow %s by one', async (_how, draft, waiting?) => {
  const { ctx } = await project()
  const segment = await createSegment(ctx, { name: 'VIP', condition: pro, trackMembership: true })
  const other = await createSegment(ctx, { name: 'Others', condition: pro, trackMembership: true })
  const workflow = await drawn(ctx, { name: 'Welcome', ...draft })
  await step(ctx, workflow, waiting)
  const uses = () => findSegmentUses(ctx, segment)
  expect(await uses()).toMatchObject({ usedInWorkflows: [{ id: workflow.id, name: 'Welcome' }], canDelete: true })
  await enable(ctx, workflow)
  expect(await uses()).toMatchObject({ usedInWorkflows: [{ id: workflow.id, name: 'Welcome' }], canDelete: false })
  const inUse = { code: 'SEGMENT_IN_USE', message: 'The workflow "Welcome", which is enabled, is about who enters or leaves this segment.' }
  await expect(deleteSegment(ctx, segment)).rejects.toMatchObject(inUse)
  await expect(updateSegment(ctx, { ...segment, condition: undefined, name: 'Good' })).rejects.toMatchObject(inUse)
  await expect(updateSegment(ctx, { id: segment.id, trackMembership: false })).rejects.toMatchObject(inUse)
  expect(await getSegment(ctx, segment)).toEqual(segment)
  await updateSegment(ctx, { id: segment.id, name: 'Vip', trackMembership: true, description: 'The same' })
  await updateSegment(ctx, { id: other.id, trackMembership: false, name: 'Nobody' })
  await deleteSegment(ctx, other)
  await updateWorkflow(ctx, { id: workflow.id, enabled: false })
  await updateSegment(ctx, { id: segment.id, trackMembership: false, name: 'Good' })
  await deleteSegment(ctx, segment)
})

test('a segment whose members are not tracked yet keeps its events as well, and may begin to log them', async () => {
  const { ctx, eventOf } = await project()
  const segment = await createSegment(ctx, { name: 'VIP', condition: pro })
  const workflow = await drawn(ctx, { eventName: 'segment.vip.entry' })
  await step(ctx, workflow)
  await enable(ctx, workflow)
  const change = { id: segment.id, name: 'Good', trackMembership: true }
  await expect(updateSegment(ctx, change)).rejects.toMatchObject({ code: 'SEGMENT_IN_USE' })
  await expect(deleteSegment(ctx, segment)).rejects.toMatchObject({ code: 'SEGMENT_IN_USE' })
  await updateSegment(ctx, { id: segment.id, trackMembership: true })
  expect(await eventOf(segment)).toBe('segment.vip.entry')
})

test('executions that wait for an event of a segment keep it, also on steps that are edited since, or of a workflow that is disabled', async () => {
  const { ctx } = await project()
  const segment = await createSegment(ctx, { name: 'VIP', type: 'STATIC' })
  const { id: contactId } = await upsertContact(ctx, { email: 'ada@example.com' })
  const workflow = await drawn(ctx, { name: 'Welcome' })
  const { id: stepId } = await step(ctx, workflow, { type: 'WAIT_FOR_EVENT', config: { eventName: 'segment.vip.entry' } })
  await enable(ctx, workflow)
  const { id: executionId } = await startWorkflowExecution(ctx, { id: workflow.id, contactId })
  // Without an event it cannot be enabled, so that executions start on the version before.
  await updateWorkflowStep(ctx, { id: workflow.id, stepId, config: {} })
  const changes = [() => deleteSegment(ctx, segment), () => updateSegment(ctx, { id: segment.id, name: 'Good' })]
  for (const change of changes) await expect(change()).rejects.toMatchObject({ code: 'SEGMENT_IN_USE', message: /which is enabled/ })
  await updateWorkflow(ctx, { id: workflow.id, enabled: false })
  const message = 'Executions of the workflow "Welcome" are under way that go on, or end, when somebody enters or leaves this segment.'
  for (const change of changes) await expect(change()).rejects.toMatchObject({ code: 'SEGMENT_IN_USE', message })
  expect((await findSegmentUses(ctx, segment)).canDelete).toBe(false)
  await cancelWorkflowExecution(ctx, { id: workflow.id, executionId })
  expect((await findSegmentUses(ctx, segment)).canDelete).toBe(true)
  for (const change of changes.toReversed()) await change()
})

test('a name that leaves its events as they are may be given at any time, and a name of any script has events that a workflow can name', async () => {
  const { ctx, eventOf } = await project()
  await createSegment(ctx, { name: 'VIP', type: 'STATIC' })
  const second = await createSegment(ctx, { name: 'VIP', type: 'STATIC' })
  const workflow = await drawn(ctx, { eventName: 'segment.vip-2.entry' })
  await step(ctx, workflow)
  await enable(ctx, workflow)
  expect((await updateSegment(ctx, { id: second.id, name: 'VIP 2' })).name).toBe('VIP 2')
  expect(await eventOf(second)).toBe('segment.vip-2.entry')
  const long = await createSegment(ctx, { name: '\ufb2c'.repeat(100), type: 'STATIC' })
  expect(EventName.safeParse(await eventOf(long)).success).toBe(true)
})
