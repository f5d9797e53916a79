import { describe, expect, test } from 'vitest'
import type { FieldFilter } from '../../../../src/modules/filters/shapes.ts'
import { createSegment, deleteSegment, findSegment, getSegment, updateSegment } from '../../../../src/modules/segments/segments.ts'
import { findSegmentUses } from '../../../../src/modules/segments/usage.ts'
import { updateWorkflow } from '../../../../src/modules/workflows/changes.ts'
import { cancelWorkflowExecution } from '../../../../src/modules/workflows/executions/cancel.ts'
import { startWorkflowExecution } from '../../../../src/modules/workflows/executions/start.ts'
import { getWorkflow } from '../../../../src/modules/workflows/graph/graph.ts'
import { deleteWorkflowStep, updateWorkflowStep } from '../../../../src/modules/workflows/graph/steps.ts'
import { addContacts } from '../../../help/campaigns.ts'
import { holder } from '../../../help/holder.ts'
import { drawn, enable, lead, step } from '../../../help/workflows.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
const { ctx } = await freshProject(world)
const [{ id: contactId } = { id: '' }] = await addContacts(ctx, 1)

const isIn = (id: string): FieldFilter => ({ field: `segment.${id}`, operator: 'memberOfSegment' })
const allBut = (id: string): FieldFilter => ({ field: `segment.${id}`, operator: 'notMemberOfSegment' })
const optedOut = () => createSegment(ctx, { name: 'Opted out', type: 'STATIC' })
const exists: FieldFilter = { field: 'data.vip', operator: 'exists' }

/** A segment that leads to another one by so many others between them. */
async function leadingTo(id: string, others: number): Promise<string> {
  let last = id
  for (let nth = 0; nth <= others; nth++) last = (await createSegment(ctx, { name: `S${nth}`, condition: allBut(last) })).id
  return last
}

async function asking(config: Record<string, unknown> = { ...exists }) {
  const workflow = await drawn(ctx)
  const { id: stepId } = await step(ctx, workflow, { type: 'CONDITION', config })
  return { workflow, stepId }
}

/** Deletes a segment, and until the other transaction ends does not commit that. */
async function beingDeleted(segment: { id: string }) {
  const other = await holder(world)
  await other.run('lock table pgboss.job in share mode')
  const deletion = deleteSegment(ctx, segment)
  await other.waitedFor()
  return { other, deletion }
}

describe('while a segment is being deleted', () => {
  test.each([
    [
      'changed',
      ({ workflow, stepId }: Awaited<ReturnType<typeof asking>>, config: Record<string, unknown>) =>
        updateWorkflowStep(ctx, { id: workflow.id, stepId, config }),
    ],
    [
      'added',
      ({ workflow }: Awaited<ReturnType<typeof asking>>, config: Record<string, unknown>) =>
        step(ctx, workflow, { type: 'CONDITION', config }),
    ],
  ])('a step of an enabled workflow that is %s and asks for it is refused', async (_how, change) => {
    const [segment, asked] = [await optedOut(), await asking()]
    await enable(ctx, asked.workflow)
    const { other, deletion } = await beingDeleted(segment)
    const changing = change(asked, allBut(segment.id))
    const refused = expect(changing).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field: 'config.field', code: 'unknown_segment' }],
    })
    await other.waitedForOrEnded(2, changing)
    await other.commit()
    await deletion
    await refused
  })

  test.each([0, 2])('a workflow that asks for it is not enabled, through %i others', async (others) => {
    const segment = await optedOut()
    const asked = await asking(others === 0 ? allBut(segment.id) : isIn(await leadingTo(segment.id, others - 1)))
    const { other, deletion } = await beingDeleted(segment)
    const enabling = enable(ctx, asked.workflow)
    const refused = expect(enabling).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field: `steps.${asked.stepId}`, code: 'deleted_segment' }],
    })
    await other.waitedForOrEnded(2, enabling)
    await other.commit()
    await deletion
    await refused
    expect(await getWorkflow(ctx, asked.workflow)).toMatchObject({ enabled: false, version: 0 })
  })
})

test.each([
  [
    'added',
    ({ workflow }: Awaited<ReturnType<typeof asking>>, config: Record<string, unknown>) =>
      step(ctx, workflow, { type: 'CONDITION', config }),
  ],
  [
    'changed',
    ({ workflow, stepId }: Awaited<ReturnType<typeof asking>>, config: Record<string, unknown>) =>
      updateWorkflowStep(ctx, { id: workflow.id, stepId, config }),
  ],
])('a segment is not deleted while a step of an enabled workflow that asks for it is %s', async (_how, change) => {
  const [segment, asked] = [await optedOut(), await asking()]
  await enable(ctx, asked.workflow)
  const other = await holder(world)
  await other.run('lock table workflow_steps in share mode')
  const changing = change(asked, allBut(segment.id))
  await other.waitedFor()
  const deletion = deleteSegment(ctx, segment)
  const refused = expect(deletion).rejects.toMatchObject({ code: 'SEGMENT_IN_USE' })
  await other.waitedForOrEnded(2, deletion)
  await other.commit()
  await changing
  await refused
})

test('a segment is not deleted while a workflow is enabled that another segment comes to lead to it meanwhile', async () => {
  const [segment, outer] = [await optedOut(), await createSegment(ctx, { name: 'VIPs', condition: exists })]
  const { workflow } = await asking(isIn(outer.id))
  const other = await holder(world)
  await other.run('lock table workflow_versions in share mode')
  const enabling = enable(ctx, workflow)
  await other.waitedFor()
  const editing = updateSegment(ctx, { id: outer.id, condition: allBut(segment.id) })
  await other.waitedForOrEnded(2, editing)
  const deletion = deleteSegment(ctx, segment)
  const outcome = deletion.then(
    () => 'deleted',
    () => 'refused',
  )
  await other.waitedForOrEnded(3, deletion)
  await other.commit()
  await enabling
  // Whichever of the two came first, the other one is refused.
  const edited = await editing.then(
    () => 'edited',
    () => 'refused',
  )
  expect([edited, await outcome].filter((one) => one === 'refused')).toHaveLength(1)
  const asks = JSON.stringify((await getSegment(ctx, outer)).condition).includes(segment.id)
  expect(asks).toBe((await findSegment(ctx, segment, {})) !== null)
})

describe('a workflow whose step asks for a segment that was deleted', () => {
  test.each([
    ['directly', 0, 'refers to a segment that was deleted: it has no members.'],
    ['through three others', 3, 'refers to a segment that leads to one that was deleted, which has no members.'],
  ])('%s has an issue, and is not enabled', async (_how, others, message) => {
    const segment = await optedOut()
    const { workflow, stepId } = await asking(others === 0 ? allBut(segment.id) : isIn(await leadingTo(segment.id, others - 1)))
    await deleteSegment(ctx, segment)
    const issue = { code: 'deleted_segment', severity: 'ERROR', message: `The condition of "Condition" ${message}`, stepId }
    expect((await getWorkflow(ctx, workflow)).issues).toContainEqual(issue)
    await expect(enable(ctx, workflow)).rejects.toMatchObject({
      message: `The workflow cannot be enabled: ${issue.message}`,
      errors: [{ field: `steps.${stepId}`, code: 'deleted_segment' }],
    })
    await updateWorkflowStep(ctx, { id: workflow.id, stepId, config: exists })
    expect(await enable(ctx, workflow)).toMatchObject({ enabled: true, version: 1 })
  })

  test('where no contact comes has a warning, and is enabled; what leads to it then does not take effect', async () => {
    const segment = await optedOut()
    const workflow = await drawn(ctx)
    const delay = await step(ctx, workflow, { type: 'DELAY', config: { amount: 1, unit: 'days' } })
    const apart = await step(ctx, workflow, { type: 'CONDITION', config: allBut(segment.id) })
    await deleteSegment(ctx, segment)
    const issues = async () => (await getWorkflow(ctx, workflow)).issues.filter(({ code }) => code === 'deleted_segment')
    expect(await issues()).toMatchObject([{ severity: 'WARNING', stepId: apart.id }])
    await enable(ctx, workflow)
    await lead(ctx, workflow, delay, apart)
    expect(await issues()).toMatchObject([{ severity: 'ERROR', stepId: apart.id }])
    expect(await getWorkflow(ctx, workflow)).toMatchObject({ enabled: true, version: 1 })
  })
})

describe('a segment that an execution under way asks for, whose workflow', () => {
  test.each([
    ['is disabled', ({ id }: Asked) => updateWorkflow(ctx, { id, enabled: false }), 'under way that ask'],
    [
      'asks for another one since',
      ({ id, stepId }: Asked) => updateWorkflowStep(ctx, { id, stepId, config: exists }),
      'under way that ask',
    ],
    ['was enabled again without the step', withoutStep, 'under way that ask'],
    ['is disabled, and was enabled before versions had their segments', ofEarlierProgram, 'under way that ask'],
    ['has errors since, so that executions still start on that version', withErrors, 'which is enabled, asks'],
  ])('%s, is not deleted until that has ended', async (_how, change, sentence) => {
    const segment = await optedOut()
    const { workflow, stepId } = await waiting(isIn(await leadingTo(segment.id, 0)))
    const { id: executionId } = await startWorkflowExecution(ctx, { id: workflow.id, contactId })
    await change({ ...workflow, stepId })
    const refused = { code: 'SEGMENT_IN_USE', message: expect.stringContaining(sentence) }
    await expect(deleteSegment(ctx, segment)).rejects.toMatchObject(refused)
    expect((await findSegmentUses(ctx, segment)).canDelete).toBe(false)
    await cancelWorkflowExecution(ctx, { id: workflow.id, executionId })
    await updateWorkflow(ctx, { id: workflow.id, enabled: false })
    expect((await findSegmentUses(ctx, segment)).canDelete).toBe(true)
    await deleteSegment(ctx, segment)
  })
})

type Asked = { id: string; stepId: string }

/** An enabled workflow that waits for a day, and then asks. */
async function waiting(config: FieldFilter) {
  const workflow = await drawn(ctx)
  const delay = await step(ctx, workflow, { type: 'DELAY', config: { amount: 1, unit: 'days' } })
  const asks = await step(ctx, workflow, { type: 'CONDITION', config: { ...config } })
  await lead(ctx, workflow, delay, asks)
  await enable(ctx, workflow)
  return { workflow, stepId: asks.id }
}

async function withoutStep({ id, stepId }: Asked) {
  await updateWorkflow(ctx, { id, enabled: false })
  await deleteWorkflowStep(ctx, { id, stepId })
  await enable(ctx, { id })
}

async function ofEarlierProgram({ id }: Asked) {
  await updateWorkflow(ctx, { id, enabled: false })
  await world.db.prisma.$executeRaw`update workflow_versions set segment_ids = null where workflow_id = ${id}`
}

async function withErrors({ id, stepId }: Asked) {
  await updateWorkflowStep(ctx, { id, stepId, config: {} })
  expect(await getWorkflow(ctx, { id })).toMatchObject({ enabled: true, version: 1 })
}

test('a step of an enabled workflow does not come to ask for a segment that leads to a deleted one', async () => {
  const [segment, asked] = [await optedOut(), await asking()]
  const config = isIn(await leadingTo(segment.id, 1))
  await deleteSegment(ctx, segment)
  const change = { id: asked.workflow.id, stepId: asked.stepId, config }
  await updateWorkflowStep(ctx, change)
  await updateWorkflowStep(ctx, { ...change, config: exists })
  await enable(ctx, asked.workflow)
  await expect(updateWorkflowStep(ctx, change)).rejects.toMatchObject({ errors: [{ field: 'config', code: 'unknown_segment' }] })
})
