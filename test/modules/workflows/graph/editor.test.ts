import { expect, test } from 'vitest'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { followEvents } from '../../../../src/modules/workflows/triggers/triggers.ts'
import { asker } from '../../../help/ask.ts'
import { testServer } from '../../../help/server.ts'
import { drawn, enable, lead, runAll, step } from '../../../help/workflows.ts'
import { freshProject } from '../../../help/world.ts'

// What an editor of workflows shows.
const { url, world } = await testServer()
// What happens from here on starts workflows.
await followEvents(world)

interface Answer {
  workflow: {
    entryStep: { id: string; name: string } | null
    issues: { code: string; branch: string | null; stepId: string | null }[]
    executions: { nodes: { status: string; resumesAt: string | null; waitsFor: string | null; startedBy: { name: string } | null }[] }
  }
}
const query = `query ($id: ID!) { workflow(id: $id) {
  entryStep { id name } issues { code branch stepId }
  executions { nodes { status resumesAt waitsFor startedBy { name } } }
} }`

test('a workflow says where executions begin, and an issue which exit it is about', async () => {
  const { ctx, secret } = await freshProject(world)
  const workflow = await drawn(ctx)
  const ask = () => asker(url, secret)<Answer>(query, { id: workflow.id })
  expect((await ask()).data?.workflow.entryStep).toBeNull()
  const end = await step(ctx, workflow)
  const config = { field: 'data.plan', operator: 'equals', value: 'pro' }
  const question = await step(ctx, workflow, { type: 'CONDITION', name: 'Which plan', config })
  await lead(ctx, workflow, question, end, 'yes')
  const { data, errors } = await ask()
  expect(errors).toEqual([])
  // The oldest one that no transition leads to, and not the oldest.
  expect(data?.workflow.entryStep).toEqual({ id: question.id, name: 'Which plan' })
  expect(data?.workflow.issues).toContainEqual({ code: 'MISSING_TRANSITION', branch: 'no', stepId: question.id })
})

test('an execution says what it waits for, until when, and which event started it', async () => {
  const { ctx, secret } = await freshProject(world)
  const workflow = await drawn(ctx)
  await step(ctx, workflow, { type: 'WAIT_FOR_EVENT', config: { eventName: 'paid', timeout: 3_600 } })
  await step(ctx, workflow, { autoConnect: true })
  await enable(ctx, workflow)
  await trackEvent(ctx, { email: 'ada@example.com', event: 'signed-up' })
  await runAll(world)
  const ask = async () => (await asker(url, secret)<Answer>(query, { id: workflow.id })).data?.workflow.executions.nodes
  const startedBy = { name: 'signed-up' }
  expect(await ask()).toEqual([{ status: 'WAITING', resumesAt: expect.stringMatching(/Z$/), waitsFor: 'paid', startedBy }])
  await trackEvent(ctx, { email: 'ada@example.com', event: 'paid' })
  await runAll(world)
  expect(await ask()).toEqual([{ status: 'EXITED', resumesAt: null, waitsFor: null, startedBy }])
})
