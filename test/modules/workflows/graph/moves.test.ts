import { expect, test } from 'vitest'
import { getWorkflow } from '../../../../src/modules/workflows/graph/graph.ts'
import { asker } from '../../../help/ask.ts'
import { graphql } from '../../../help/graphql/index.ts'
import { testServer } from '../../../help/server.ts'
import { drawn, enable, step } from '../../../help/workflows.ts'
import { freshProject } from '../../../help/world.ts'

const { url, world } = await testServer()

const Move = graphql(`
  mutation MoveWorkflowSteps($input: MoveWorkflowStepsInput!) {
    moveWorkflowSteps(input: $input) { workflow { id version steps { id position { x y } updatedAt } } }
  }
`)

async function project() {
  const { ctx, secret, projectId } = await freshProject(world)
  const workflow = await drawn(ctx)
  const config = { amount: 1, unit: 'days' }
  const steps = []
  for (const name of ['A', 'B', 'C']) steps.push(await step(ctx, workflow, { type: 'DELAY', name, config, autoConnect: true }))
  const ids = steps.map(({ id }) => id)
  const move = (positions: object[], workflowId = workflow.id) => asker(url, secret)(Move, { input: { workflowId, positions } } as never)
  const stored = async () => (await getWorkflow(ctx, workflow)).steps.map(({ position }) => position)
  return { ctx, projectId, workflow, ids: ids as [string, string, string], move, stored }
}

test('moveWorkflowSteps moves several steps at once, without a new version; what does not move does not change', async () => {
  const { ctx, projectId, workflow, ids, move } = await project()
  await enable(ctx, workflow)
  const versions = () => world.db.prisma.workflowVersion.count({ where: { projectId, workflowId: workflow.id } })
  const [, middle] = (await move([{ stepId: ids[0], position: { x: 1, y: 2 } }])).data?.moveWorkflowSteps.workflow.steps ?? []
  world.clock.turn(60_000)
  const { data, errors } = await move([
    { stepId: ids[2], position: { x: -40, y: 900.5 } },
    { stepId: ids[0], position: { x: 300, y: 0 } },
    { stepId: ids[1], position: middle?.position },
  ])
  expect(errors).toEqual([])
  const { version, steps } = data?.moveWorkflowSteps.workflow ?? {}
  expect(version).toBe(1)
  expect(await versions()).toBe(1)
  expect(steps?.map(({ position }) => position)).toEqual([{ x: 300, y: 0 }, middle?.position, { x: -40, y: 900.5 }])
  expect(steps?.map(({ updatedAt }) => updatedAt === middle?.updatedAt)).toEqual([false, true, false])
})

test('moveWorkflowSteps moves none when one is refused', async () => {
  const { ids, move, stored } = await project()
  const other = await project()
  const before = await stored()
  const at = (stepId: string, position: object = { x: 5, y: 5 }) => ({ stepId, position })
  const [a, b] = ids
  const refused: [object[], string, string | undefined][] = [
    [[at(a), at('stp_x')], 'RESOURCE_NOT_FOUND', undefined],
    [[at(a), at(other.ids[0])], 'RESOURCE_NOT_FOUND', undefined],
    [[at(a), at(b), at(a)], 'VALIDATION_ERROR', 'positions.2.stepId'],
    [[at(a), at(b, { x: 1_000_001, y: 0 })], 'VALIDATION_ERROR', 'positions.1.position.x'],
    [[], 'VALIDATION_ERROR', 'positions'],
    [Array.from({ length: 101 }, () => at(a)), 'VALIDATION_ERROR', 'positions'],
  ]
  for (const [positions, code, field] of refused) {
    const { errors } = await move(positions)
    expect(errors[0]?.extensions).toMatchObject({ code, ...(field && { errors: [{ field }] }) })
  }
  expect((await move([at(a)], other.workflow.id)).errors[0]?.extensions.code).toBe('RESOURCE_NOT_FOUND')
  expect(await stored()).toEqual(before)
})
