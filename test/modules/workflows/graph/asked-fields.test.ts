import { expect, test } from 'vitest'
import { statement } from '../../../../src/kit/postgres/db.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { findFieldUses } from '../../../../src/modules/contacts/fields/usage.ts'
import { getEventUsage } from '../../../../src/modules/events/usage.ts'
import { updateWorkflow } from '../../../../src/modules/workflows/changes.ts'
import { cancelWorkflowExecution } from '../../../../src/modules/workflows/executions/cancel.ts'
import { startWorkflowExecution } from '../../../../src/modules/workflows/executions/start.ts'
import { createWorkflowStep, updateWorkflowStep } from '../../../../src/modules/workflows/graph/steps.ts'
import { drawn, enable, lead, step } from '../../../help/workflows.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()

const unlist = statement<object>('test_unlist', 'update workflow_versions set asks = null where project_id = $1')

/** An enabled workflow whose executions wait, then ask whether a contact has a plan, and then wait for a payment; and a contact. */
async function asking() {
  const { ctx } = await freshProject(world)
  const { id: contactId } = await upsertContact(ctx, { email: 'ada@example.com', data: { plan: 'pro', tier: 1 } })
  const workflow = await drawn(ctx)
  const delay = await step(ctx, workflow, { type: 'DELAY', config: { amount: 1, unit: 'days' } })
  const asks = await step(ctx, workflow, { type: 'CONDITION', config: { field: 'data.plan', operator: 'exists' } })
  const waits = await step(ctx, workflow, { type: 'WAIT_FOR_EVENT', config: { eventName: 'paid', timeout: 3_600 } })
  await lead(ctx, workflow, delay, asks)
  await lead(ctx, workflow, asks, waits, 'yes')
  await enable(ctx, workflow)
  /** Its steps ask for something else instead. */
  const change = async () => {
    await updateWorkflowStep(ctx, { id: workflow.id, stepId: asks.id, config: { field: 'data.tier', operator: 'exists' } })
    await updateWorkflowStep(ctx, { id: workflow.id, stepId: waits.id, config: { eventName: 'bought', timeout: 3_600 } })
  }
  const users = async () => {
    const uses = [await findFieldUses(ctx, { field: 'data.plan' }), await getEventUsage(ctx, { eventName: 'paid' })]
    return uses.map((one) => one?.usedInWorkflows.length)
  }
  return { ctx, contactId, workflow, change, users }
}

test('a field and an event are in use while executions are under way whose version asks for them, also when the steps do no more', async () => {
  const { ctx, contactId, workflow, change, users } = await asking()
  const { id: executionId } = await startWorkflowExecution(ctx, { id: workflow.id, contactId })
  await change()
  expect(await users()).toEqual([1, 1])
  await updateWorkflow(ctx, { id: workflow.id, enabled: false })
  expect(await users()).toEqual([1, 1])
  await cancelWorkflowExecution(ctx, { id: workflow.id, executionId })
  expect(await users()).toEqual([0, 0])
})

test('they are in use as well where their version is of an earlier program, which does not list what it asks', async () => {
  const { ctx, contactId, workflow, change, users } = await asking()
  await startWorkflowExecution(ctx, { id: workflow.id, contactId })
  await world.db.run(unlist, [ctx.projectId])
  await change()
  expect(await users()).toEqual([1, 1])
})

test('they are in use while executions start on an earlier version, because the steps have errors since', async () => {
  const { ctx, workflow, change, users } = await asking()
  await createWorkflowStep(ctx, { id: workflow.id, type: 'SEND_EMAIL', asFirst: true })
  await change()
  expect(await users()).toEqual([1, 1])
  await updateWorkflow(ctx, { id: workflow.id, enabled: false })
  expect(await users()).toEqual([0, 0])
})

test('they are not once another version is in use', async () => {
  const { change, users } = await asking()
  expect(await users()).toEqual([1, 1])
  await change()
  expect(await users()).toEqual([0, 0])
})
