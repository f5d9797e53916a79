import { expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { getWorkflowExecution } from '../../../../src/modules/workflows/executions/executions.ts'
import { startWorkflowExecution } from '../../../../src/modules/workflows/executions/start.ts'
import { updateWorkflowStep } from '../../../../src/modules/workflows/graph/steps.ts'
import { stripOldVersions } from '../../../../src/modules/workflows/graph/versions.ts'
import { drawn, enable, runAll, step } from '../../../help/workflows.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
const note = 'x'.repeat(20_000)

async function startFor(ctx: Ctx, id: string, name: string): Promise<string> {
  const contact = await upsertContact(ctx, { email: `${name}@example.com` })
  return (await startWorkflowExecution(ctx, { id, contactId: contact.id })).id
}

test('old versions on which no execution is any more keep the names and types of their steps only', async () => {
  const { ctx, projectId } = await freshProject(world)
  const { id } = await drawn(ctx)
  const pause = await step(ctx, { id }, { type: 'DELAY', config: { amount: 1, unit: 'hours' } })
  const mark = await step(ctx, { id }, { type: 'UPDATE_CONTACT', name: 'Mark', config: { updates: { note } }, autoConnect: true })
  await enable(ctx, { id })
  const ended: string[] = []
  for (let nth = 0; nth < 24; nth++) {
    ended.push(await startFor(ctx, id, `c${nth}`))
    await updateWorkflowStep(ctx, { id, stepId: mark.id, config: { updates: { note, nth } } } as Parameters<typeof updateWorkflowStep>[1])
  }
  await runAll(world)
  world.clock.turn(3_600_000)
  const sizes = async () => {
    const all = await world.db.prisma.workflowVersion.findMany({ where: { projectId }, orderBy: { version: 'asc' } })
    return all.map(({ graph }) => JSON.stringify(graph).length > note.length)
  }
  // While an execution is on a version it stays whole.
  await stripOldVersions(world)
  expect(await sizes()).toEqual(Array(25).fill(true))
  await runAll(world)
  await stripOldVersions(world)
  expect(await sizes()).toEqual([...Array(5).fill(false), ...Array(20).fill(true)])
  const shown = async (executionId = '') =>
    (await getWorkflowExecution(ctx, { id, executionId })).stepExecutions.map((one) => [one.step?.name, one.step?.type, one.input !== null])
  expect(await shown(ended[0])).toEqual([
    [pause.name, 'DELAY', false],
    ['Mark', 'UPDATE_CONTACT', false],
  ])
  expect(await shown(ended.at(-1))).toEqual([
    [pause.name, 'DELAY', true],
    ['Mark', 'UPDATE_CONTACT', true],
  ])
})
