import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { deleteContact } from '../../../../src/modules/contacts/contacts.ts'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { deleteEventName } from '../../../../src/modules/events/events.ts'
import { deleteWorkflow, eraseExecutions } from '../../../../src/modules/workflows/changes.ts'
import { cancelWorkflowExecutions } from '../../../../src/modules/workflows/executions/cancel.ts'
import { endExecutionsOfContact } from '../../../../src/modules/workflows/executions/deleted.ts'
import { getWorkflowExecution, listWorkflowExecutions } from '../../../../src/modules/workflows/executions/executions.ts'
import { findExecutionContext } from '../../../../src/modules/workflows/executions/inputs/inputs.ts'
import { eraseSomeInputs } from '../../../../src/modules/workflows/executions/inputs/sql.ts'
import { followEvents } from '../../../../src/modules/workflows/triggers/triggers.ts'
import { asker } from '../../../help/ask.ts'
import { testServer } from '../../../help/server.ts'
import { drawn, enable, lead, runAll, step } from '../../../help/workflows.ts'
import { freshProject } from '../../../help/world.ts'

const { url, world } = await testServer()
await followEvents(world)

const email = 'ada@example.com'
// What cannot be compressed.
const long = Array.from({ length: 8_000 }, (_, at) => Math.sin(at).toString(36).slice(2, 10)).join('')
const track = (ctx: Ctx, data: Record<string, unknown>) =>
  trackEvent(ctx, { email, event: 'signed-up', data } as unknown as Parameters<typeof trackEvent>[1])

/** Workflows that ask the event after a day; each has one execution, which waits. */
async function waiting(ctx: Ctx, count: number, text = long): Promise<{ id: string; executionId: string }[]> {
  const ids: string[] = []
  for (let at = 0; at < count; at++) {
    const { id } = await drawn(ctx, { name: `Long ${at}` })
    const delay = await step(ctx, { id }, { type: 'DELAY', config: { amount: 1, unit: 'days' } })
    const asks = await step(ctx, { id }, { type: 'CONDITION', config: { field: 'event.plan', operator: 'equals', value: 'pro' } })
    await lead(ctx, { id }, delay, asks)
    await lead(ctx, { id }, asks, await step(ctx, { id }, { config: { reason: 'pro' } }), 'yes')
    await lead(ctx, { id }, asks, await step(ctx, { id }, { config: { reason: 'free' } }), 'no')
    await enable(ctx, { id })
    ids.push(id)
  }
  await track(ctx, { plan: 'pro', text: { value: text, persistent: false } })
  await runAll(world)
  return Promise.all(
    ids.map(async (id) => ({
      id,
      executionId: (await listWorkflowExecutions(ctx, { id, page: 1, pageSize: 20 })).data[0]?.id ?? '',
    })),
  )
}

async function storedBytes(projectId: string): Promise<{ executions: number; inputs: number }> {
  const sums = await Promise.all([
    world.db.prisma.workflowExecution.findMany({ where: { projectId }, select: { context: true } }),
    world.db.prisma.workflowInput.findMany({ where: { projectId }, select: { data: true } }),
  ])
  const [executions = 0, inputs = 0] = sums.map((rows) => JSON.stringify(rows).length)
  return { executions, inputs }
}

const contextOf = async (ctx: Ctx, at: { id: string; executionId: string }) => (await getWorkflowExecution(ctx, at)).context

describe('the long data of an event', () => {
  test('is stored once, however many workflows the event starts; short data is in the executions', async () => {
    const { ctx, projectId } = await freshProject(world)
    const all = await waiting(ctx, 5)
    const { executions, inputs } = await storedBytes(projectId)
    expect([executions < 1_000, Math.floor(inputs / long.length)]).toEqual([true, 1])
    for (const one of all) expect(await contextOf(ctx, one)).toEqual({ plan: 'pro', text: long })
    const short = await freshProject(world)
    const [only = { id: '', executionId: '' }] = await waiting(short.ctx, 1, 'short')
    expect(await world.db.prisma.workflowInput.count({ where: { projectId: short.projectId } })).toBe(0)
    expect(await contextOf(short.ctx, only)).toEqual({ plan: 'pro', text: 'short' })
  })

  test('is asked by later steps, also when the events of the name have been deleted', async () => {
    const { ctx } = await freshProject(world)
    const [one = { id: '', executionId: '' }] = await waiting(ctx, 1)
    await deleteEventName(ctx, { eventName: 'signed-up' })
    world.clock.turn(86_400_000)
    await runAll(world)
    expect(await getWorkflowExecution(ctx, one)).toMatchObject({ status: 'EXITED', exitReason: 'pro', context: { text: long } })
  })

  test('goes with the contact', async () => {
    const { ctx, projectId } = await freshProject(world)
    const [one = { id: '', executionId: '' }] = await waiting(ctx, 2)
    const { contactId } = await getWorkflowExecution(ctx, one)
    await deleteContact(ctx, { id: contactId })
    await endExecutionsOfContact(world, { projectId, contactId } as Parameters<typeof endExecutionsOfContact>[1])
    expect(await world.db.prisma.workflowInput.count({ where: { projectId } })).toBe(0)
    expect(await contextOf(ctx, one)).toBeNull()
  })

  test('goes with the last workflow that it started, also when two are removed at once, and with the project', async () => {
    const { ctx, projectId } = await freshProject(world)
    const [first, ...others] = await waiting(ctx, 3)
    const remove = async ({ id }: { id: string }) => {
      await cancelWorkflowExecutions(ctx, { id })
      await deleteWorkflow(ctx, { id })
    }
    const count = () => world.db.prisma.workflowInput.count({ where: { projectId } })
    if (first) await remove(first)
    await eraseExecutions(ctx, { projectId, workflowId: first?.id ?? '' })
    expect(await count()).toBe(1)
    for (const one of others) expect(await contextOf(ctx, one)).toMatchObject({ text: long })
    for (const one of others) await remove(one)
    await Promise.all(others.map(({ id }) => eraseExecutions(ctx, { projectId, workflowId: id })))
    expect(await count()).toBe(0)
    await waiting(ctx, 1)
    expect([await count(), await eraseSomeInputs(world.db, projectId), await count()]).toEqual([1, 1, 0])
  })
})

test('GraphQL answers the first 4 MB of the contexts of many executions, and says so of the others', async () => {
  const { ctx, secret: key, projectId } = await freshProject(world)
  const [{ id } = { id: '' }] = await waiting(ctx, 1)
  const now = world.clock.now()
  await world.db.prisma.workflowExecution.createMany({
    data: Array.from({ length: 6 }, (_, at) => ({
      ...{ projectId, workflowId: id, version: 1, contactId: 'cnt_x', status: 'EXITED' as const, startedAt: now, updatedAt: now },
      ...{ id: `exe_00${at}`, context: { text: long.repeat(14) } },
    })),
  })
  const query = `{ workflow(id: "${id}") { executions(first: 10) { nodes { id context } } } }`
  interface Found {
    workflow: { executions: { nodes: { context: { text: string } | null }[] } }
  }
  const { data, errors } = await asker(url, key)<Found>(query)
  expect(data?.workflow.executions.nodes.map(({ context }) => context?.text.length)).toEqual(
    [long, ...Array(4).fill(long.repeat(14)), null, null].map((one) => one?.length),
  )
  expect(errors).toHaveLength(2)
  // The bound is that of one call: another one in the same moment has its own.
  const [large, ...rest] = ['exe_000', 'exe_001', 'exe_002', 'exe_003', 'exe_004', 'exe_005']
  const half = (ids: (string | undefined)[]) => {
    const call = { ...ctx, answer: {} }
    return Promise.all(ids.map((one = '') => findExecutionContext(call, { id: one })))
  }
  const both = await Promise.all([half([large, ...rest.slice(0, 2)]), half(rest.slice(2))])
  expect(both.flat().every((context) => context !== null)).toBe(true)
  expect(errors).toMatchObject([{ extensions: { code: 'PAYLOAD_TOO_LARGE' } }, { extensions: { code: 'PAYLOAD_TOO_LARGE' } }])
})
