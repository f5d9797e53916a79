import { expect, test } from 'vitest'
import { getWorkflow } from '../../../../src/modules/workflows/graph/graph.ts'
import { createWorkflowStep } from '../../../../src/modules/workflows/graph/steps.ts'
import { asker, type Reply } from '../../../help/ask.ts'
import { testServer } from '../../../help/server.ts'
import { drawn, lead, step } from '../../../help/workflows.ts'
import { freshProject } from '../../../help/world.ts'

// Where a new step stands, and where an exit leads from then on: in one call, or not at all.
const { url, world } = await testServer()
const create = `mutation ($input: CreateWorkflowStepInput!) { createWorkflowStep(input: $input) { step { id } workflow { entryStep { id } } } }`
const connect = `mutation ($input: CreateWorkflowTransitionInput!) { createWorkflowTransition(input: $input) { created } }`
interface Created {
  createWorkflowStep: { step: { id: string }; workflow: { entryStep: { id: string } } }
}

// The fields that are refused, or the code of another failure.
function problemsOf({ extensions: { code, errors } }: Reply<unknown>['errors'][number]) {
  return Array.isArray(errors) ? (errors as { field: string; code: string; message: string }[]) : [{ code }]
}

async function editor() {
  const project = await freshProject(world)
  const workflow = await drawn(project.ctx)
  const ways = async () => {
    const { steps, transitions } = await getWorkflow(project.ctx, workflow)
    const nameOf = (id: string) => steps.find((one) => one.id === id)?.name
    return transitions.map((one) => `${nameOf(one.fromStepId)} ${one.branch ?? '→'} ${nameOf(one.toStepId)}`).sort()
  }
  const ask = asker(url, project.secret)
  const add = async (input: object) => {
    const { data, errors } = await ask<Created>(create, { input: { workflowId: workflow.id, ...input } })
    return { ...data?.createWorkflowStep, errors: errors.flatMap(problemsOf) }
  }
  return { ...project, workflow, ways, ask, add }
}

test('a step is added after an exit, and what followed there follows its first exit; an EXIT is followed by nothing', async () => {
  const { ctx, workflow, ways, add } = await editor()
  const question = await step(ctx, workflow, { type: 'CONDITION', name: 'Plan', config: { field: 'data.plan', operator: 'exists' } })
  const end = await step(ctx, workflow, { name: 'End' })
  await lead(ctx, workflow, question, end, 'yes')
  const wait = { type: 'WAIT_FOR_EVENT', name: 'Wait', config: { eventName: 'paid', timeout: 60 } }
  expect((await add({ ...wait, after: { stepId: question.id, branch: 'yes' } })).errors).toEqual([])
  expect(await ways()).toEqual(['Plan yes Wait', 'Wait → End'])
  const { step: pause } = await add({ type: 'DELAY', name: 'Pause', after: { stepId: question.id, branch: 'no' } })
  expect(await ways()).toEqual(['Plan no Pause', 'Plan yes Wait', 'Wait → End'])
  await add({ type: 'EXIT', name: 'Stop', after: { stepId: question.id, branch: 'yes' } })
  expect(await ways()).toEqual(['Plan no Pause', 'Plan yes Stop', 'Wait → End'])
  await add({ type: 'DELAY', name: 'Longer', after: { stepId: pause?.id } })
  expect(await ways()).toContain('Pause → Longer')
})

test('a step is added as the first one, before what executions have begun with', async () => {
  const { ctx, workflow, ways, add } = await editor()
  const { step: end, workflow: alone } = await add({ type: 'EXIT', name: 'End', asFirst: true })
  expect(alone?.entryStep).toEqual(end)
  const { step: first, workflow: now } = await add({ type: 'DELAY', name: 'Wait', asFirst: true })
  expect(now?.entryStep).toEqual(first)
  expect(await ways()).toEqual(['Wait → End'])
  const refused = { field: 'asFirst', code: 'not_allowed' }
  expect((await add({ type: 'EXIT', asFirst: true })).errors).toMatchObject([refused])
  await step(ctx, workflow, { type: 'DELAY', name: 'Forgotten' })
  expect((await add({ type: 'DELAY', asFirst: true })).errors).toMatchObject([
    { ...refused, message: expect.stringContaining('"Forgotten"') },
  ])
  expect(await ways()).toEqual(['Wait → End'])
})

test('a place that does not exist is refused, and nothing is added', async () => {
  const { ctx, workflow, add } = await editor()
  const end = await step(ctx, workflow, { name: 'End' })
  const wait = await step(ctx, workflow, { type: 'DELAY', name: 'Wait' })
  const elsewhere = await step(ctx, await drawn(ctx), { type: 'DELAY' })
  const errorsOf = async (place: object) => (await add({ type: 'DELAY', ...place })).errors
  expect(await errorsOf({ after: { stepId: end.id } })).toMatchObject([{ field: 'after', code: 'not_allowed' }])
  expect(await errorsOf({ after: { stepId: wait.id, branch: 'yes' } })).toMatchObject([{ field: 'after.branch', code: 'unknown_branch' }])
  expect(await errorsOf({ after: { stepId: elsewhere.id } })).toEqual([{ code: 'RESOURCE_NOT_FOUND' }])
  expect(await errorsOf({ after: { stepId: wait.id }, autoConnect: true })).toMatchObject([{ field: 'after' }])
  expect((await getWorkflow(ctx, workflow)).steps).toHaveLength(2)
})

test('two who add a step after the same exit at once: both stand there, one after the other', async () => {
  const { ctx, workflow, ways } = await editor()
  const wait = await step(ctx, workflow, { type: 'DELAY', name: 'Wait' })
  const draft = { id: workflow.id, type: 'DELAY', after: { stepId: wait.id } } as const
  await Promise.all(['One', 'Two'].map((name) => createWorkflowStep(ctx, { ...draft, name })))
  expect([
    ['One → Two', 'Wait → One'],
    ['Two → One', 'Wait → Two'],
  ]).toContainEqual(await ways())
})

test('with `replace` an exit leads elsewhere from then on; a way that is refused leaves it as it was', async () => {
  const { ctx, workflow, ways, ask } = await editor()
  const [first, second, third] = [
    await step(ctx, workflow, { type: 'DELAY', name: 'First' }),
    await step(ctx, workflow, { type: 'DELAY', name: 'Second' }),
    await step(ctx, workflow, { type: 'DELAY', name: 'Third' }),
  ]
  await lead(ctx, workflow, first, second)
  await lead(ctx, workflow, second, third)
  const to = async (fromStepId: string, toStepId: string, replace?: boolean) =>
    (await ask(connect, { input: { fromStepId, toStepId, replace } })).errors.flatMap(problemsOf).map(({ code }) => code)
  expect(await to(first.id, third.id)).toEqual(['duplicate'])
  expect(await to(first.id, third.id, true)).toEqual([])
  expect(await ways()).toEqual(['First → Third', 'Second → Third'])
  await lead(ctx, workflow, third, await step(ctx, workflow, { name: 'End' }))
  expect(await to(third.id, first.id, true)).toEqual(['circular'])
  expect(await ways()).toEqual(['First → Third', 'Second → Third', 'Third → End'])
})
