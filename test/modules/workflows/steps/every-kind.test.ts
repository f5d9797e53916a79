import { beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { createTemplate } from '../../../../src/modules/templates/templates.ts'
import { cancelWorkflowExecution } from '../../../../src/modules/workflows/executions/cancel.ts'
import { getWorkflowExecution } from '../../../../src/modules/workflows/executions/executions.ts'
import { executionIdOf } from '../../../../src/modules/workflows/executions/log.ts'
import { startWorkflowExecution } from '../../../../src/modules/workflows/executions/start.ts'
import { advanceExecution, newClaim } from '../../../../src/modules/workflows/run/advance.ts'
import { takeDue } from '../../../../src/modules/workflows/run/sql.ts'
import { advanceDue, runnerIdle } from '../../../../src/modules/workflows/run/worker.ts'
import { StepType } from '../../../../src/modules/workflows/steps/kinds.ts'
import { holder } from '../../../help/holder.ts'
import { sendingProject } from '../../../help/mails.ts'
import { receiver } from '../../../help/receiver.ts'
import { drawn, enable, runAll, step } from '../../../help/workflows.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld()
const hook = await receiver()
const minuteMs = 60_000

beforeEach(() => {
  hook.received.length = 0
  hook.answer((response) => response.end())
})

/** What a kind of steps needs for these tests. */
interface Row {
  config: Record<string, unknown>
  /** What ends the step, where it waits. */
  ends?(ctx: Ctx): Promise<unknown>
  /** How often it has done something to anybody; left out where it does nothing. */
  effects?(ctx: Ctx): Promise<number>
  /** Lines that do not name the execution: they start others as those of anybody do, however deep they are. */
  logsBeside?: string[]
  /** How an execution ends whose only step is of this kind. */
  status: 'COMPLETED' | 'EXITED'
}

// A kind that is missing here does not compile, and has no tests.
const rows: Record<StepType, Row> = {
  SEND_EMAIL: { config: {}, effects: ({ db, projectId }) => db.prisma.email.count({ where: { projectId } }), status: 'COMPLETED' },
  DELAY: { config: { amount: 1, unit: 'minutes' }, ends: async () => world.clock.turn(minuteMs), status: 'COMPLETED' },
  WAIT_FOR_EVENT: {
    config: { eventName: 'paid', timeout: 3_600 },
    ends: (ctx) => trackEvent(ctx, { email: 'ada@example.com', event: 'paid' } as Parameters<typeof trackEvent>[1]),
    logsBeside: ['paid'],
    status: 'COMPLETED',
  },
  CONDITION: { config: { field: 'data.plan', operator: 'equals', value: 'pro' }, status: 'COMPLETED' },
  WEBHOOK: { config: { url: hook.url }, effects: async () => hook.received.length, status: 'COMPLETED' },
  UPDATE_CONTACT: {
    config: { subscriptionAction: 'unsubscribe' },
    effects: ({ db, projectId }) => db.prisma.event.count({ where: { projectId, name: 'contact.unsubscribed' } }),
    status: 'COMPLETED',
  },
  EXIT: { config: {}, status: 'EXITED' },
}

/** An execution that has come to its only step, and what became of it. */
async function started(type: StepType) {
  const { config, ends, effects } = rows[type]
  const { ctx, projectId } = await sendingProject(world)
  const { id } = await drawn(ctx)
  const template = { subject: 'S', body: '<p>Hi</p>', from: 'hello@demo.test' } as Parameters<typeof createTemplate>[1]
  const templateId = type === 'SEND_EMAIL' ? (await createTemplate(ctx, template)).id : undefined
  await step(ctx, { id }, { type, config, templateId })
  await enable(ctx, { id })
  const { id: contactId } = await upsertContact(ctx, { email: 'ada@example.com', data: { plan: 'pro' } })
  const { id: executionId } = await startWorkflowExecution(ctx, { id, contactId })
  const seen = async () => {
    const { status, stepExecutions } = await getWorkflowExecution(ctx, { id, executionId })
    return { status, steps: stepExecutions.map((one) => one.status), effects: (await effects?.(ctx)) ?? 0 }
  }
  const finish = async () => {
    await runAll(world)
    await ends?.(ctx)
    await runAll(world)
  }
  return { ctx, projectId, id, executionId, seen, finish }
}

/** Claims what is due as a worker that then does nothing, like one that has crashed. */
async function crashed() {
  const claim = newClaim(world)
  const now = world.clock.now()
  const until = new Date(now.getTime() + world.config.CLAIM_SECONDS * 1_000)
  const taken = await world.db.lookups.run(takeDue, [now, 100, claim, until])
  return { claim, taken }
}

describe.each(StepType.options)('a step of the type %s', (type) => {
  const row = rows[type]
  const done = { status: row.status, steps: ['COMPLETED'], effects: row.effects ? 1 : 0 }

  test('succeeds, and does its work once', async () => {
    const { seen, finish } = await started(type)
    await finish()
    expect(await seen()).toEqual(done)
  })

  test('logs nothing about its execution but lines that are known to start others by it, for the guard against loops', async () => {
    const { ctx, executionId, finish } = await started(type)
    await finish()
    const lines = await ctx.db.prisma.event.findMany({ where: { projectId: ctx.projectId }, select: { name: true, data: true } })
    const about = lines.filter(({ data }) => JSON.stringify(data).includes(executionId))
    expect(about.map(executionIdOf)).toEqual(about.map(() => executionId))
    expect(about.map(({ data }) => (data as { depth?: number }).depth)).toEqual(about.map(() => 1))
    expect(about.length).toBeGreaterThanOrEqual(2)
    expect(lines.filter((line) => !about.includes(line)).map(({ name }) => name)).toEqual(row.logsBeside ?? [])
  })

  test('fails the execution where it cannot be done, and does nothing', async () => {
    const { projectId, seen, finish } = await started(type)
    // No call can bring a version into this state.
    const broken = `update workflow_versions set graph = jsonb_set(graph, '{steps,0,config}', 'null') where project_id = '${projectId}'`
    await world.db.prisma.$executeRawUnsafe(broken)
    await finish()
    expect(await seen()).toEqual({ status: 'FAILED', steps: ['FAILED'], effects: 0 })
  })

  test('whose connection to Postgres is lost is done again a second later, once', async () => {
    const { seen, finish } = await started(type)
    const held = await holder(world)
    await held.run('lock table workflow_step_executions in exclusive mode')
    await advanceDue(world)
    await held.terminate(await held.waitedFor())
    await held.commit()
    await runnerIdle(world)
    expect(await seen()).toMatchObject({ steps: [], effects: 0 })
    world.clock.turn(1_000)
    await finish()
    expect(await seen()).toEqual(done)
  })

  test('that was cancelled before does nothing, and one that waits ends', async () => {
    const before = await started(type)
    await cancelWorkflowExecution(before.ctx, before)
    await before.finish()
    expect(await before.seen()).toEqual({ status: 'CANCELLED', steps: [], effects: 0 })
    if (!row.ends) return
    const waiting = await started(type)
    await runAll(world)
    await cancelWorkflowExecution(waiting.ctx, waiting)
    await waiting.finish()
    expect(await waiting.seen()).toEqual({ status: 'CANCELLED', steps: ['CANCELLED'], effects: 0 })
  })

  test('whose worker crashed is done by another one when the lease has ended, and not again by one that was only slow', async () => {
    const { executionId, seen, finish } = await started(type)
    const { claim, taken } = await crashed()
    await runAll(world)
    expect(await seen()).toMatchObject({ steps: [], effects: 0 })
    world.clock.turn(world.config.CLAIM_SECONDS * 1_000)
    await finish()
    expect(await seen()).toEqual(done)
    const late = taken.find(({ id }) => id === executionId)
    if (!late) throw new Error('The execution was not taken')
    await advanceExecution(world, claim, late)
    await runAll(world)
    expect(await seen()).toEqual(done)
  })
})
