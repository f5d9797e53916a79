import { beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { cancelWorkflowExecution } from '../../../../src/modules/workflows/executions/cancel.ts'
import { getWorkflowExecution } from '../../../../src/modules/workflows/executions/executions.ts'
import { startWorkflowExecution } from '../../../../src/modules/workflows/executions/start.ts'
import { isSignedWith, receiver } from '../../../help/receiver.ts'
import { callAll, drawn, enable, lead, runAll, step } from '../../../help/workflows.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
const hook = await receiver()

beforeEach(() => {
  hook.received.length = 0
  hook.answer((response) => response.end())
})

test('smoke', async () => {
  const { ctx } = await freshProject(world)
  const { id } = await drawn(ctx)
  const call = await step(ctx, { id }, { type: 'WEBHOOK', config: { url: `${hook.url}/x/{{ data.name }}` } })
  const after = await step(ctx, { id }, { type: 'EXIT' })
  await lead(ctx, { id }, call, after)
  await enable(ctx, { id })
  const contact = await upsertContact(ctx, { email: 'ada@example.com', data: { name: 'a/b' } } as Parameters<typeof upsertContact>[1])
  const { id: executionId } = await startWorkflowExecution(ctx, { id, contactId: contact.id, context: { plan: 'pro' } })
  await runAll(world)
  const execution = await getWorkflowExecution(ctx, { id, executionId })
  console.log(JSON.stringify(execution, null, 1), hook.received)
})
