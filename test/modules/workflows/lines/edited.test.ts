import { expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { updateWorkflow } from '../../../../src/modules/workflows/changes.ts'
import { startWorkflowExecution } from '../../../../src/modules/workflows/executions/start.ts'
import { takeTurn } from '../../../../src/modules/workflows/lines/turn.ts'
import { followEvents } from '../../../../src/modules/workflows/triggers/triggers.ts'
import { type Holder, holder } from '../../../help/holder.ts'
import { drawn, enable, runAll, step } from '../../../help/workflows.ts'
import { freshProject, logSettled, testWorld } from '../../../help/world.ts'

const world = await testWorld()
await followEvents(world)

/** An enabled workflow of one step, and a contact that enters it. */
async function waiting() {
  const { ctx, projectId } = await freshProject(world)
  const { id } = await drawn(ctx)
  await step(ctx, { id }, { type: 'UPDATE_CONTACT', config: { updates: { came: true } } })
  await enable(ctx, { id })
  return { ctx, projectId, id }
}

/** Changes a workflow as an edit does that has not ended: the next version replaces the one that nothing has started on. */
async function editing({ projectId, id }: { projectId: string; id: string }): Promise<Holder> {
  const edit = await holder(world)
  const values = [projectId, id]
  await edit.run('select 1 from workflows where project_id = $1 and id = $2 for no key update', values)
  await edit.run(
    `insert into workflow_versions (project_id, workflow_id, version, graph, created_at)
     select project_id, workflow_id, version + 1, graph, created_at from workflow_versions where project_id = $1 and workflow_id = $2`,
    values,
  )
  await edit.run('delete from workflow_versions where project_id = $1 and workflow_id = $2 and version = 1', values)
  await edit.run('update workflows set version = version + 1 where project_id = $1 and id = $2', values)
  return edit
}

async function outcome(ctx: Ctx, projectId: string) {
  await runAll(world)
  const executions = await world.db.prisma.workflowExecution.findMany({ where: { projectId }, include: { steps: true } })
  const [contact] = await ctx.db.prisma.contact.findMany({ where: { projectId } })
  return [executions.map(({ version, status, steps }) => [version, status, steps.length]), contact?.data]
}

test('a contact whose event is handled while its workflow is edited goes through the steps of the new version', async () => {
  const workflow = await waiting()
  await trackEvent(workflow.ctx, { email: 'ada@example.com', event: 'signed-up' } as Parameters<typeof trackEvent>[1])
  await logSettled(world)
  while (await followEvents(world));
  const edit = await editing(workflow)
  const turn = takeTurn(world, workflow.projectId)
  await edit.waitedFor()
  await edit.commit()
  expect(await turn).toMatchObject({ handled: 1 })
  expect(await outcome(workflow.ctx, workflow.projectId)).toEqual([[[2, 'COMPLETED', 1]], { came: true }])
})

test('a contact that enters by hand while the workflow is edited goes through the steps of the new version', async () => {
  const workflow = await waiting()
  const { contact: contactId } = await trackEvent(workflow.ctx, { email: 'ada@example.com', event: 'other' } as Parameters<
    typeof trackEvent
  >[1])
  const edit = await editing(workflow)
  const started = startWorkflowExecution(workflow.ctx, { id: workflow.id, contactId })
  await edit.waitedFor()
  await edit.commit()
  expect(await started).toMatchObject({ status: 'RUNNING' })
  expect(await outcome(workflow.ctx, workflow.projectId)).toEqual([[[2, 'COMPLETED', 1]], { came: true }])
})

test('an event starts no workflow that is enabled after it, or given its name after it, however late the event is handled', async () => {
  const { ctx, projectId } = await freshProject(world)
  const signUp = (name: string, event = 'signed-up') =>
    trackEvent(ctx, { email: `${name}@example.com`, event } as Parameters<typeof trackEvent>[1])
  const began: Record<string, string> = {}
  for (const name of ['before', 'late', 'renamed']) {
    const { id } = await drawn(ctx, { name, ...(name === 'renamed' && { eventName: 'other' }) })
    await step(ctx, { id })
    began[id] = name
    if (name !== 'late') await enable(ctx, { id })
  }
  const idOf = (name: string) => Object.keys(began).find((id) => began[id] === name) ?? ''
  await signUp('ada')
  await enable(ctx, { id: idOf('late') })
  await updateWorkflow(ctx, { id: idOf('renamed'), triggerConfig: { eventName: 'signed-up' } })
  // Not what a change of anything else does.
  await updateWorkflow(ctx, { id: idOf('before'), name: 'Before' })
  await signUp('bob')
  await updateWorkflow(ctx, { id: idOf('late'), description: 'Late', enabled: true })
  await runAll(world)
  const executions = await world.db.prisma.workflowExecution.findMany({
    where: { projectId },
    include: { contact: { select: { email: true } } },
  })
  expect(executions.map(({ workflowId, contact }) => `${began[workflowId]} ${contact.email}`).toSorted()).toEqual([
    'before ada@example.com',
    'before bob@example.com',
    'late bob@example.com',
    'renamed bob@example.com',
  ])
})
