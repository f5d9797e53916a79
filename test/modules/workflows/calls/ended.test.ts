import { beforeEach, describe, expect, test } from 'vitest'
import { deleteContact } from '../../../../src/modules/contacts/contacts.ts'
import { eraseSomeContacts } from '../../../../src/modules/contacts/erasure/erase.ts'
import { callDue, callsIdle } from '../../../../src/modules/workflows/calls/worker.ts'
import { cancelWorkflowExecution } from '../../../../src/modules/workflows/executions/cancel.ts'
import { endExecutionsOfContact } from '../../../../src/modules/workflows/executions/deleted.ts'
import { advanceDue, runnerIdle } from '../../../../src/modules/workflows/run/worker.ts'
import { eraseSomeExecutions, eraseSomeWorkflows } from '../../../../src/modules/workflows/sql.ts'
import { receiver } from '../../../help/receiver.ts'
import { until } from '../../../help/until.ts'
import { hooked, seen } from '../../../help/webhooks.ts'
import { callAll, runAll } from '../../../help/workflows.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
const hook = await receiver()
const config = { url: hook.url }
const hour = 3_600_000

beforeEach(() => {
  hook.received.length = 0
  hook.answer((response) => response.end())
})

test('a webhook whose version has gone, or whose process ended each time, shows the attempts before', async () => {
  const { ctx, projectId } = await freshProject(world)
  hook.answer((response) => response.writeHead(500).end())
  const one = await hooked(ctx, config, { errorBranch: true })
  await runAll(world)
  await world.db.prisma.workflowCall.updateMany({ where: { projectId }, data: { attempts: 6 } })
  world.clock.turn(hour)
  await runAll(world)
  const { exitReason, output } = await seen(one)
  expect([exitReason, output.success, output.error]).toEqual(['lost', false, expect.stringContaining('ended before it could record')])
  expect(output.attempts.map(({ statusCode }) => statusCode)).toEqual([500, null, null, null, null, null])
  expect(hook.received).toHaveLength(1)
})

describe('whatever ends the execution', () => {
  test('cancelling it ends a webhook that waits for its next attempt', async () => {
    const { ctx, one } = await waiting()
    await cancelWorkflowExecution(ctx, one)
    world.clock.turn(hour)
    await runAll(world)
    const { status, did } = await seen(one)
    expect([status, did.status, did.attempts, hook.received.length]).toEqual(['CANCELLED', 'CANCELLED', 1, 1])
    expect(await world.db.prisma.workflowCall.count({ where: { projectId: ctx.projectId } })).toBe(0)
  })

  test('cancelling it while the receiver takes its time leaves it cancelled, whatever the answer', async () => {
    const { ctx } = await freshProject(world)
    let answer = (): void => undefined
    hook.answer((response) => {
      answer = () => void response.writeHead(500).end()
    })
    const one = await hooked(ctx, config, { errorBranch: true })
    await begun()
    await cancelWorkflowExecution(ctx, one)
    answer()
    await callsIdle(world)
    world.clock.turn(hour)
    await runAll(world)
    expect(await seen(one)).toMatchObject({ status: 'CANCELLED', did: { status: 'CANCELLED', output: null } })
    expect(hook.received).toHaveLength(1)
  })

  test.each([
    ['a suspension', 'Project disabled'],
    ['the deletion of the contact', 'Contact deleted'],
  ])('%s cancels it before the next attempt', async (what, reason) => {
    const { ctx, one } = await waiting()
    const where = { id: ctx.projectId }
    if (what === 'a suspension') await world.db.prisma.project.update({ where, data: { disabled: true } })
    else await deleteContact(ctx, { id: one.contactId })
    world.clock.turn(hour)
    await callAll(world)
    const execution = await world.db.prisma.workflowExecution.findFirst({ where: { projectId: ctx.projectId }, include: { steps: true } })
    expect(execution).toMatchObject({
      status: 'CANCELLED',
      reason,
      steps: [{ status: 'CANCELLED', output: { attempts: [{ statusCode: 500 }] } }],
    })
    expect(hook.received).toHaveLength(1)
  })

  test.each(['contact', 'project'])(
    'the removal of the %s meanwhile leaves no call behind, and no execution that goes on',
    async (what) => {
      const { ctx, projectId } = await freshProject(world)
      let answer = (): void => undefined
      hook.answer((response) => {
        answer = () => void response.end()
      })
      const one = await hooked(ctx, config)
      await begun()
      if (what === 'contact') {
        await deleteContact(ctx, { id: one.contactId })
        while ((await eraseSomeContacts(world.db, projectId)) > 0);
        await endExecutionsOfContact(world, { projectId, contactId: one.contactId })
      } else {
        await world.db.prisma.project.update({ where: { id: projectId }, data: { erasingAt: world.clock.now() } })
        await eraseSomeWorkflows(world.db, projectId)
        await eraseSomeExecutions(world.db, projectId)
      }
      answer()
      await callsIdle(world)
      const left = await world.db.prisma.workflowExecution.findMany({ where: { projectId }, select: { status: true } })
      expect(left).toEqual(what === 'contact' ? [{ status: 'CANCELLED' }] : [])
      expect(await world.db.prisma.workflowCall.count({ where: { projectId: ctx.projectId } })).toBe(0)
    },
  )

  async function waiting() {
    const { ctx } = await freshProject(world)
    hook.answer((response) => response.writeHead(500).end())
    const one = await hooked(ctx, config)
    await runAll(world)
    return { ctx, one }
  }

  async function begun(): Promise<void> {
    while (await advanceDue(world)) await runnerIdle(world)
    await callDue(world)
    await until(async () => hook.received.length > 0)
  }
})
