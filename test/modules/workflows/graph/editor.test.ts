import { expect, test } from 'vitest'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { updateWorkflowStep } from '../../../../src/modules/workflows/graph/steps.ts'
import { takeDue } from '../../../../src/modules/workflows/run/sql.ts'
import { decidedAfterMs } from '../../../../src/modules/workflows/steps/wait-for-event.ts'
import { followEvents } from '../../../../src/modules/workflows/triggers/triggers.ts'
import { asker } from '../../../help/ask.ts'
import { fewestQueriesOf } from '../../../help/queries.ts'
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

interface Issues {
  workflow: { issues: { code: string; step: { name: string } | null; transition: { id: string; to: { name: string } } | null }[] }
}

test('an issue names its step, and the transition that is never taken, in as many queries for many issues as for few', async () => {
  const { ctx, secret } = await freshProject(world)
  const workflow = await drawn(ctx, { eventName: undefined })
  const wait = await step(ctx, workflow, { type: 'WAIT_FOR_EVENT', name: 'Wait', config: { eventName: 'paid', timeout: 60 } })
  const end = await step(ctx, workflow, { name: 'End' })
  const { id } = await lead(ctx, workflow, wait, end, 'timeout')
  await lead(ctx, workflow, wait, end, 'event')
  const issues = '{ workflow(id: $id) { issues { code step { name } transition { id to { name } } } } }'
  const ask = () => asker(url, secret)<Issues>(`query ($id: ID!) ${issues}`, { id: workflow.id })
  // Without a timeout that exit is not taken any more.
  await updateWorkflowStep(ctx, { id: workflow.id, stepId: wait.id, config: { eventName: 'paid' } })
  const { reply, queries } = await fewestQueriesOf(ask, /workflow_/)
  expect(reply.data?.workflow.issues).toEqual([
    { code: 'MISSING_EVENT', step: null, transition: null },
    { code: 'UNUSED_TRANSITION', step: { name: 'Wait' }, transition: { id, to: { name: 'End' } } },
    { code: 'ENDLESS_WAIT', step: { name: 'Wait' }, transition: null },
  ])
  const other = await step(ctx, workflow, { type: 'WAIT_FOR_EVENT', name: 'Other', config: { eventName: 'paid', timeout: 60 } })
  await lead(ctx, workflow, other, end, 'timeout')
  await updateWorkflowStep(ctx, { id: workflow.id, stepId: other.id, config: { eventName: 'paid' } })
  const again = await fewestQueriesOf(ask, /workflow_/)
  expect(again.queries).toBeLessThanOrEqual(queries)
  const unused = again.reply.data?.workflow.issues.filter(({ transition }) => transition)
  expect(unused?.map((issue) => issue.step?.name)).toEqual(['Wait', 'Other'])
})

interface Exits {
  workflow: { steps: { name: string; exits: { branch: string | null; name: string; transition: { to: { name: string } } | null }[] }[] }
}

test('a step says its exits in order, what people call them and where each leads, in as many queries for many steps as for few', async () => {
  const { ctx, secret } = await freshProject(world)
  const workflow = await drawn(ctx)
  const branches = [
    { id: 'b1', name: 'Paying', operator: 'equals', value: 'pro' },
    { id: 'constructor', operator: 'equals', value: 'free' },
  ]
  const config = { mode: 'multi', field: 'data.plan', branches }
  const question = await step(ctx, workflow, { type: 'CONDITION', name: 'Plan', config })
  const wait = await step(ctx, workflow, { type: 'WAIT_FOR_EVENT', name: 'Wait', config: { eventName: 'paid', timeout: 60 } })
  const end = await step(ctx, workflow, { name: 'End' })
  await lead(ctx, workflow, question, wait, 'b1')
  await lead(ctx, workflow, wait, end, 'event')
  const exits = '{ workflow(id: $id) { steps { name exits { branch name transition { to { name } } } } } }'
  const ask = () => asker(url, secret)<Exits>(`query ($id: ID!) ${exits}`, { id: workflow.id })
  const { reply, queries } = await fewestQueriesOf(ask, /workflow_/)
  const to = (name: string) => ({ to: { name } })
  expect(reply.data?.workflow.steps).toEqual([
    {
      name: 'Plan',
      exits: [
        { branch: 'b1', name: 'Paying', transition: to('Wait') },
        { branch: 'constructor', name: 'constructor', transition: null },
        { branch: 'default', name: 'Otherwise', transition: null },
      ],
    },
    {
      name: 'Wait',
      exits: [
        { branch: null, name: 'When it happens', transition: to('End') },
        { branch: 'timeout', name: 'When the time has passed', transition: null },
      ],
    },
    { name: 'End', exits: [] },
  ])
  for (const name of ['One', 'Two']) await lead(ctx, workflow, await step(ctx, workflow, { type: 'DELAY', name }), end)
  expect((await fewestQueriesOf(ask, /workflow_/)).queries).toBeLessThanOrEqual(queries)
})

test('an execution has the names of the branches of its version', async () => {
  const { ctx, secret } = await freshProject(world)
  const workflow = await drawn(ctx)
  const branches = [{ id: 'b1', name: 'Paying', operator: 'equals', value: 'pro' }]
  const config = { mode: 'multi', field: 'data.plan', branches }
  const question = await step(ctx, workflow, { type: 'CONDITION', config })
  const end = await step(ctx, workflow)
  await lead(ctx, workflow, question, end, 'b1')
  await lead(ctx, workflow, question, end, 'default')
  await enable(ctx, workflow)
  await trackEvent(ctx, { email: 'ada@example.com', event: 'signed-up' })
  await runAll(world)
  const graphOf = '{ workflow(id: $id) { executions { nodes { graph { transitions { branch name } } } } } }'
  const { data } = await asker(url, secret)(`query ($id: ID!) ${graphOf}`, { id: workflow.id })
  const transitions = [
    { branch: 'b1', name: 'Paying' },
    { branch: 'default', name: 'Otherwise' },
  ]
  expect(data).toEqual({ workflow: { executions: { nodes: [{ graph: { transitions } }] } } })
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
  // A worker that looks at it holds it by a lease, which is nothing that the execution waits for.
  world.clock.turn(3_600_000)
  const lease = new Date(+world.clock.now() + 60_000)
  expect(await world.db.run(takeDue, [new Date(+world.clock.now() + decidedAfterMs), 10, 'a worker', lease])).toHaveLength(1)
  expect(await ask()).toEqual([{ status: 'WAITING', resumesAt: null, waitsFor: 'paid', startedBy }])
  await world.db.prisma.workflowExecution.updateMany({ where: { projectId: ctx.projectId }, data: { claim: null, wakeAt: lease } })
  await trackEvent(ctx, { email: 'ada@example.com', event: 'paid' })
  await runAll(world)
  expect(await ask()).toEqual([{ status: 'EXITED', resumesAt: null, waitsFor: null, startedBy }])
})
