import { expect, test } from 'vitest'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { getWorkflowExecution } from '../../../../src/modules/workflows/executions/executions.ts'
import { startWorkflowExecution } from '../../../../src/modules/workflows/executions/start.ts'
import type { StepDraft } from '../../../../src/modules/workflows/graph/shapes.ts'
import { decidedAfterMs } from '../../../../src/modules/workflows/steps/wait-for-event.ts'
import { receiver } from '../../../help/receiver.ts'
import { drawn, enable, runAll, step } from '../../../help/workflows.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld({ env: { WEBHOOKS_TO_LOCALHOST: 'true' } })
const hook = await receiver()

// Whatever is done takes time.
const { now } = world.clock
world.clock.now = () => {
  world.clock.turn(10)
  return now()
}

const minuteMs = 60_000
const steps: Partial<StepDraft>[] = [
  { type: 'UPDATE_CONTACT', config: { updates: { plan: 'pro' } } },
  { type: 'DELAY', config: { amount: 1, unit: 'minutes' } },
  { type: 'CONDITION', config: { field: 'data.plan', operator: 'equals', value: 'pro' } },
  { type: 'WEBHOOK', config: { url: `${hook.url}/` } },
  { type: 'WAIT_FOR_EVENT', config: { eventName: 'bought', timeout: 60 } },
]

test('a step begins when it is visited and ends when it is done, before the next one begins', async () => {
  const { ctx } = await freshProject(world)
  const workflow = await drawn(ctx)
  for (const draft of steps) await step(ctx, workflow, { ...draft, autoConnect: true })
  await enable(ctx, workflow)
  const { id: contactId } = await upsertContact(ctx, { email: 'ada@example.com' })
  const { id: executionId } = await startWorkflowExecution(ctx, { id: workflow.id, contactId })
  for (let minutes = 0; minutes < 3; minutes++) {
    await runAll(world)
    world.clock.turn(minuteMs + decidedAfterMs)
  }
  const { status, stepExecutions, startedAt } = await getWorkflowExecution(ctx, { id: workflow.id, executionId })
  expect([status, stepExecutions.map(({ step: at }) => at?.type)]).toEqual(['COMPLETED', steps.map(({ type }) => type)])
  let before = startedAt.getTime()
  for (const { step: at, ...record } of stepExecutions) {
    const times = [before, record.startedAt.getTime(), record.completedAt?.getTime() ?? 0]
    expect([at?.type, ...times]).toEqual([at?.type, ...times.toSorted((one, other) => one - other)])
    if (at?.type === 'DELAY') expect(record.scheduledFor?.getTime()).toBe(before + minuteMs)
    before = record.completedAt?.getTime() ?? 0
  }
})
