import { describe, expect, test } from 'vitest'
import type { WorkflowStep } from '../../../../src/modules/workflows/graph/shapes.ts'
import { testServer } from '../../../help/server.ts'
import { drawn, lead, step } from '../../../help/workflows.ts'
import { freshProject } from '../../../help/world.ts'

const { call, world } = await testServer()

async function withSteps(...types: NonNullable<Parameters<typeof step>[2]>['type'][]) {
  const { ctx, secret: key } = await freshProject(world)
  const workflow = await drawn(ctx)
  const steps: WorkflowStep[] = []
  for (const type of types) steps.push(await step(ctx, workflow, { type }))
  const id = (at: number) => steps[at]?.id ?? ''
  const add = (from: number, to: number, more: object = {}) =>
    call(`POST /workflows/${workflow.id}/transitions`, { fromStepId: id(from), toStepId: id(to), ...more }, { key })
  const ways = async () =>
    (await call(`GET /workflows/${workflow.id}`, undefined, { key })).body.transitions.map((one: Record<string, string>) => [
      steps.findIndex((each) => each.id === one.fromStepId),
      steps.findIndex((each) => each.id === one.toStepId),
      one.branch,
    ])
  return { ctx, key, workflow, steps, id, add, ways }
}

describe('POST /workflows/:id/transitions', () => {
  test('201 answers the transition, with its branch in both places', async () => {
    const { add, id, ways } = await withSteps('CONDITION', 'DELAY', 'EXIT')
    const yes = await add(0, 1, { branch: 'yes', priority: 2 })
    const no = await add(0, 2, { condition: { branch: 'no' } })
    const next = await add(1, 2)
    expect([yes.status, yes.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^trn_/),
        fromStepId: id(0),
        toStepId: id(1),
        branch: 'yes',
        condition: { branch: 'yes' },
        priority: 2,
      },
    ])
    expect([no.body, next.body]).toMatchObject([
      { branch: 'no', condition: { branch: 'no' }, priority: 0 },
      { branch: null, condition: null },
    ])
    expect(await ways()).toEqual([
      [0, 1, 'yes'],
      [0, 2, 'no'],
      [1, 2, null],
    ])
  })

  test('200 answers the one that is there, also to calls at once, and by another name of the exit', async () => {
    const { add, ways } = await withSteps('WAIT_FOR_EVENT', 'EXIT')
    const answers = await Promise.all([add(0, 1), add(0, 1, { branch: 'event' }), add(0, 1, { branch: null }), add(0, 1)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await ways()).toHaveLength(1)
  })

  test('two exits of a step may lead to the same step', async () => {
    const { add, ways } = await withSteps('CONDITION', 'EXIT')
    expect([(await add(0, 1, { branch: 'yes' })).status, (await add(0, 1, { branch: 'no' })).status]).toEqual([201, 201])
    expect(await ways()).toHaveLength(2)
  })

  test('409 when the workflow has 300 transitions', async () => {
    const { ctx, workflow, add, id } = await withSteps('CONDITION', 'EXIT', 'EXIT')
    const { projectId } = ctx
    const of = { projectId, workflowId: workflow.id, fromStepId: id(1), toStepId: id(0), createdAt: world.clock.now() }
    const rows = Array.from({ length: 299 }, (_, at) => ({ ...of, id: `trn_${at}`, branch: `b${at}` }))
    await world.db.prisma.workflowTransition.createMany({ data: rows })
    expect((await add(0, 2, { branch: 'yes' })).status).toBe(201)
    const { status, body } = await add(0, 2, { branch: 'no' })
    expect([status, body.error.code, body.error.message]).toEqual([
      409,
      'LIMIT_REACHED',
      'This workflow has 300 transitions, which is the maximum.',
    ])
  })

  test('a step with several branches has those of its config', async () => {
    const { ctx, workflow, add, key, id } = await withSteps('EXIT')
    const multi = { mode: 'multi', field: 'data.plan', branches: [{ id: 'pro', operator: 'equals', value: 'pro' }] }
    const { id: fromStepId } = await step(ctx, workflow, { type: 'CONDITION', config: multi })
    const from = (branch: string) => add(0, 0, { fromStepId, branch })
    expect([(await from('pro')).status, (await from('default')).status]).toEqual([201, 201])
    const wrong = await from('yes')
    expect([wrong.status, wrong.body.error.errors[0].message]).toEqual([
      422,
      'names no exit of this step: a step of the type CONDITION has "pro" or "default"',
    ])
    await call(`PATCH /workflows/${workflow.id}/steps/${fromStepId}`, { config: { ...multi, branches: [] } }, { key })
    const { body } = await call(`GET /workflows/${workflow.id}`, undefined, { key })
    expect(body.issues.map(({ code, stepId }: Record<string, string>) => [code, stepId])).toContainEqual(['unused_transition', fromStepId])
    expect(body.steps.find((one: { id: string }) => one.id === id(0)).incomingTransitions).toHaveLength(2)
  })

  test.each([
    ['a step that leads to itself', ['DELAY'], [0, 0], {}, 'toStepId', 'self'],
    ['a circle of two', ['DELAY', 'DELAY'], [1, 0], {}, 'toStepId', 'circular'],
    ['a circle of three', ['DELAY', 'DELAY', 'DELAY'], [2, 0], {}, 'toStepId', 'circular'],
    ['a way from EXIT', ['EXIT', 'DELAY'], [0, 1], {}, 'fromStepId', 'not_allowed'],
    ['a second plain exit', ['DELAY', 'DELAY', 'EXIT'], [0, 2], {}, 'branch', 'duplicate'],
    ['a second exit by another name', ['WAIT_FOR_EVENT', 'DELAY', 'EXIT'], [0, 2], { branch: 'event' }, 'branch', 'duplicate'],
    ['no branch from CONDITION', ['CONDITION', 'EXIT'], [0, 1], {}, 'branch', 'required'],
    ['a branch that CONDITION does not have', ['CONDITION', 'EXIT'], [0, 1], { branch: 'maybe' }, 'branch', 'unknown_branch'],
    ['a branch from DELAY', ['DELAY', 'EXIT'], [0, 1], { branch: 'yes' }, 'branch', 'unknown_branch'],
    ['a branch of wrong type', ['CONDITION', 'EXIT'], [0, 1], { branch: 7 }, 'branch', 'invalid_type'],
    ['a priority below 0', ['DELAY', 'EXIT'], [0, 1], { priority: -1 }, 'priority', 'too_small'],
  ] as const)('422 for %s, and nothing is added', async (_what, types, [from, to], more, field, code) => {
    const { ctx, workflow, steps, add, ways } = await withSteps(...types)
    // Where there is a way along the steps, it is there already.
    for (const [at, one] of steps.entries()) {
      const next = steps[at + 1]
      if (next && (one.type === 'DELAY' || one.type === 'WAIT_FOR_EVENT') && !(steps.length === 2 && next.type === 'EXIT'))
        await lead(ctx, workflow, one, next)
    }
    const before = await ways()
    const answer = await add(from, to, more)
    expect([answer.status, answer.body.error.errors[0]]).toMatchObject([422, { field, code }])
    expect(await ways()).toEqual(before)
  })

  test('422 for parallel calls that would close a circle together', async () => {
    const { add, ways } = await withSteps('DELAY', 'DELAY')
    const answers = await Promise.all([add(0, 1), add(1, 0)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
    expect(await ways()).toHaveLength(1)
  })

  test('WEBHOOK has an exit for errors, WAIT_FOR_EVENT one for the timeout', async () => {
    const { add } = await withSteps('WEBHOOK', 'WAIT_FOR_EVENT', 'EXIT')
    const answers = [await add(0, 1), await add(0, 2, { branch: 'error' }), await add(1, 2, { branch: 'timeout' }), await add(1, 2)]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  })
})

test('DELETE /workflows/:id/transitions/:transitionId: 204, its steps stay, and it is 404 from then on', async () => {
  const { ctx, workflow, steps, key, ways } = await withSteps('DELAY', 'EXIT')
  const [from, to] = steps
  if (!from || !to) throw new Error('No steps')
  const { id } = await lead(ctx, workflow, from, to)
  const path = `DELETE /workflows/${workflow.id}/transitions/${id}`
  expect(await call(path, undefined, { key })).toMatchObject({ status: 204, body: '' })
  expect(await ways()).toEqual([])
  expect((await call(path, undefined, { key })).status).toBe(404)
  expect((await call(`GET /workflows/${workflow.id}`, undefined, { key })).body.steps).toHaveLength(2)
})
