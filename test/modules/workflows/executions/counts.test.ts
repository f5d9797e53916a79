import { expect, test } from 'vitest'
import { newId } from '../../../../src/kit/ids.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { deleteWorkflow } from '../../../../src/modules/workflows/changes.ts'
import { cancelWorkflowExecutions } from '../../../../src/modules/workflows/executions/cancel.ts'
import { watchWorkflow } from '../../../../src/modules/workflows/executions/counts/counts.ts'
import { startWorkflowExecution } from '../../../../src/modules/workflows/executions/start.ts'
import { deleteWorkflowStep } from '../../../../src/modules/workflows/graph/steps.ts'
import { stripOldVersions } from '../../../../src/modules/workflows/graph/versions.ts'
import { asker } from '../../../help/ask.ts'
import { graphql } from '../../../help/graphql/gql.ts'
import { fewestQueriesOf } from '../../../help/queries.ts'
import { testServer } from '../../../help/server.ts'
import { drawn, enable, lead, runAll, step } from '../../../help/workflows.ts'
import { freshProject } from '../../../help/world.ts'

const { url, world } = await testServer()

/** An enabled workflow that waits for five minutes, asks for a plan, and ends by its two ways. */
async function pausing() {
  const { ctx, secret, projectId } = await freshProject(world)
  const { id } = await drawn(ctx)
  const delay = await step(ctx, { id }, { type: 'DELAY', name: 'Pause', config: { amount: 5, unit: 'minutes' } })
  const plan = await step(
    ctx,
    { id },
    { type: 'CONDITION', name: 'Plan', config: { field: 'data.plan', operator: 'equals', value: 'pro' } },
  )
  const end = await step(ctx, { id }, { name: 'End' })
  await lead(ctx, { id }, delay, plan)
  await lead(ctx, { id }, plan, end, 'yes')
  await enable(ctx, { id })
  const start = async (name: string) => {
    const { id: contactId } = await upsertContact(ctx, { email: `${name}@example.com`, ...(name === 'ada' && { data: { plan: 'pro' } }) })
    return startWorkflowExecution(ctx, { id, contactId })
  }
  return { ctx, projectId, ask: asker(url, secret), id, delay, plan, end, start }
}

const read = graphql(`
  query ExecutionCounts($id: ID!) {
    workflow(id: $id) {
      executionCounts { running waiting completed exited failed cancelled }
      steps { name active entered }
    }
  }
`)
const none = { running: 0, waiting: 0, completed: 0, exited: 0, failed: 0, cancelled: 0 }

test('a workflow shows how many executions are in each state, and at each step', async () => {
  const { ctx, ask, id, start } = await pausing()
  const counts = async () => (await ask(read, { id })).data?.workflow
  expect((await counts())?.executionCounts).toEqual(none)
  await start('ada')
  await start('bob')
  const active = async () => [(await counts())?.executionCounts, (await counts())?.steps.map((one) => one.active)]
  expect(await active()).toEqual([{ ...none, running: 2 }, [2, 0, 0]])
  await runAll(world)
  expect(await active()).toEqual([{ ...none, waiting: 2 }, [2, 0, 0]])
  world.clock.turn(300_000)
  await runAll(world)
  await start('eve')
  await cancelWorkflowExecutions(ctx, { id })
  expect(await active()).toEqual([{ ...none, exited: 1, completed: 1, cancelled: 1 }, [0, 0, 0]])
})

test('those of a large workflow are at most 60 s old', async () => {
  const { projectId, ask, id, delay, start } = await pausing()
  const { contactId } = await start('ada')
  const now = world.clock.now()
  const more = { projectId, workflowId: id, version: 1, contactId, currentStepId: delay.id, startedAt: now, updatedAt: now }
  const add = async (count: number) =>
    world.db.prisma.workflowExecution.createMany({
      data: Array.from({ length: count }, () => ({ ...more, id: newId('execution', now), status: 'WAITING' as const })),
    })
  const waiting = async () => {
    const { data } = await ask(read, { id })
    return [data?.workflow?.executionCounts?.waiting, data?.workflow?.steps[0]?.active]
  }
  await add(5_000)
  await add(5_002)
  expect(await waiting()).toEqual([10_002, 10_003])
  await add(1)
  expect(await waiting()).toEqual([10_002, 10_003])
  world.clock.turn(61_000)
  expect(await waiting()).toEqual([10_003, 10_004])
})

test('the counts of many workflows and steps are one statement', async () => {
  const { ctx, ask, start } = await pausing()
  await start('ada')
  const { id } = await drawn(ctx)
  await step(ctx, { id })
  const list = graphql(`query CountsOfWorkflows { workflows(first: 5) { nodes { executionCounts { running } steps { active } } } }`)
  const { reply, queries } = await fewestQueriesOf(() => ask(list), /workflow_executions/)
  expect(reply.data?.workflows.nodes).toEqual([
    { executionCounts: { running: 0 }, steps: [{ active: 0 }] },
    { executionCounts: { running: 1 }, steps: [{ active: 1 }, { active: 0 }, { active: 0 }] },
  ])
  expect(queries).toBe(1)
})

test('workflowProgress streams a workflow until it is deleted, whenever a count has changed', async () => {
  const { ctx, id, start, delay } = await pausing()
  const stream = await watchWorkflow(ctx, { id })
  expect((await stream.next()).value).toMatchObject({ id, visits: {}, counts: { states: { WAITING: 0 }, steps: {} } })
  await start('ada')
  await runAll(world)
  const untilSteps = async (steps: object) => {
    for (;;) {
      const { value, done } = await stream.next()
      if (done || JSON.stringify(value.counts?.steps) === JSON.stringify(steps)) return value?.counts?.states
    }
  }
  expect(await untilSteps({ [delay.id]: 1 })).toBeDefined()
  world.clock.turn(300_000)
  await runAll(world)
  expect(await untilSteps({})).toMatchObject({ EXITED: 1, WAITING: 0 })
  await deleteWorkflow(ctx, { id })
  let last = await stream.next()
  while (!last.done) last = await stream.next()
  await expect(watchWorkflow(ctx, { id })).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
})

const graphs = graphql(`
  query GraphsOfExecutions($id: ID!) {
    workflow(id: $id) {
      executions { nodes { version graph { steps { id name type } transitions { fromStepId toStepId branch name } } } }
    }
  }
`)

test('an execution shows the steps and transitions of its version; all of a page are one statement', async () => {
  const { ctx, ask, id, delay, plan, end, start } = await pausing()
  await start('ada')
  await start('bob')
  await deleteWorkflowStep(ctx, { id, stepId: end.id })
  await start('eve')
  const { reply, queries } = await fewestQueriesOf(() => ask(graphs, { id }), /workflow_versions/)
  const [eve, bob, ada] = reply.data?.workflow?.executions.nodes ?? []
  const first = { fromStepId: delay.id, toStepId: plan.id, branch: null, name: 'Then' }
  expect(eve).toMatchObject({ version: 2, graph: { steps: [{ name: 'Pause' }, { name: 'Plan' }], transitions: [first] } })
  expect(bob?.graph).toEqual({
    steps: [
      { id: delay.id, name: 'Pause', type: 'DELAY' },
      { id: plan.id, name: 'Plan', type: 'CONDITION' },
      { id: end.id, name: 'End', type: 'EXIT' },
    ],
    transitions: [first, { fromStepId: plan.id, toStepId: end.id, branch: 'yes', name: 'Yes' }],
  })
  expect(ada).toEqual(bob)
  expect([queries, reply.extensions.cost?.requested]).toEqual([1, expect.closeTo(23 + 20 * (1 + 10 + 30), 0)])
})

test('the graph of an old version has only the names and types of its steps, and that of a deleted workflow is null', async () => {
  const { ctx, projectId, ask, id, start } = await pausing()
  await start('ada')
  await cancelWorkflowExecutions(ctx, { id })
  await world.db.prisma.workflow.updateMany({ where: { projectId, id }, data: { version: 30 } })
  await stripOldVersions(world)
  const graph = async () => (await ask(graphs, { id })).data?.workflow?.executions.nodes[0]?.graph
  expect(await graph()).toMatchObject({ steps: [{ name: 'Pause' }, { name: 'Plan' }, { name: 'End' }], transitions: null })
  await world.db.prisma.workflowVersion.deleteMany({ where: { projectId, workflowId: id } })
  expect(await graph()).toBeNull()
})
