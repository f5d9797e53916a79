import type { Ctx } from '../../src/kit/context.ts'
import { callDue, callsIdle } from '../../src/modules/workflows/calls/worker.ts'
import { createWorkflow, updateWorkflow } from '../../src/modules/workflows/changes.ts'
import { getWorkflowExecution } from '../../src/modules/workflows/executions/executions.ts'
import { type StepDraft, WorkflowStep } from '../../src/modules/workflows/graph/shapes.ts'
import { createWorkflowStep } from '../../src/modules/workflows/graph/steps.ts'
import { createWorkflowTransition } from '../../src/modules/workflows/graph/transitions.ts'
import { handleAll } from '../../src/modules/workflows/lines/worker.ts'
import { advanceDue, runnerIdle } from '../../src/modules/workflows/run/worker.ts'
import type { Workflow, WorkflowDraft } from '../../src/modules/workflows/shapes.ts'
import { followEvents } from '../../src/modules/workflows/triggers/triggers.ts'
import { logSettled, type TestWorld } from './world.ts'

/** A workflow that `signed-up` starts. */
export async function drawn(ctx: Ctx, draft: Partial<WorkflowDraft> = {}): Promise<Workflow> {
  return createWorkflow(ctx, { name: 'Onboarding', eventName: 'signed-up', ...draft })
}

/** Adds a step to a workflow; an EXIT unless the draft says otherwise. */
export async function step(ctx: Ctx, { id }: { id: string }, draft: Partial<StepDraft> = {}): Promise<WorkflowStep> {
  return WorkflowStep.parse(await createWorkflowStep(ctx, { type: 'EXIT', ...draft, id }))
}

/** Leads from one step of a workflow to another. */
export async function lead(ctx: Ctx, { id }: { id: string }, from: WorkflowStep, to: WorkflowStep, branch?: string) {
  return createWorkflowTransition(ctx, { id, fromStepId: from.id, toStepId: to.id, ...(branch !== undefined && { branch }) })
}

/** Enables a workflow. */
export async function enable(ctx: Ctx, { id }: { id: string }): Promise<Workflow> {
  return updateWorkflow(ctx, { id, enabled: true })
}

/** An enabled workflow that sends a template and ends, and an execution of it that waits at its first step, with a webhook far ahead. */
export async function withExecution(
  { db, clock }: TestWorld,
  { ctx, contactId, templateId }: { ctx: Ctx; contactId: string; templateId: string },
): Promise<{ workflow: Workflow; executionId: string }> {
  const { projectId } = ctx
  const { id } = await drawn(ctx)
  const send = await step(ctx, { id }, { type: 'SEND_EMAIL', templateId })
  await step(ctx, { id }, { autoConnect: true })
  const workflow = await enable(ctx, { id })
  const now = clock.now()
  const key = { projectId, workflowId: id, contactId }
  const executionId = `exe_${id.slice(4)}`
  await db.prisma.workflowEntry.create({ data: { ...key, executionId, hourAt: now } })
  await db.prisma.workflowExecution.create({
    data: { ...key, id: executionId, version: workflow.version, status: 'WAITING', currentStepId: send.id, startedAt: now, updatedAt: now },
  })
  await db.prisma.workflowStepExecution.create({
    data: { projectId, executionId, id: `stx_${id.slice(4)}`, stepId: send.id, status: 'WAITING', startedAt: now },
  })
  await db.prisma.workflowCall.create({ data: { projectId, executionId, dueAt: new Date('2100-01-01') } })
  await db.prisma.workflowStepCount.create({ data: { projectId, workflowId: id, stepId: send.id, slot: 0, entered: 1 } })
  return { workflow, executionId }
}

/**
 * Lets the log start, wake and end executions, takes those that are due from step to step, and calls their webhooks, until nothing is
 * left to do now.
 */
export async function runAll(world: TestWorld): Promise<void> {
  await logSettled(world)
  while (await followEvents(world));
  for (let handled = await handleAll(world), called = true; handled > 0 || called; handled = await handleAll(world)) {
    while (await advanceDue(world)) await runnerIdle(world)
    await runnerIdle(world)
    called = await callAll(world)
  }
}

/** Calls the webhooks that are due; returns whether there were any. */
export async function callAll(world: TestWorld): Promise<boolean> {
  let any = false
  while (await callDue(world)) {
    any = true
    await callsIdle(world)
  }
  return any
}

/** What the steps of an execution did: type, state and exit of each. */
export async function pathOf(ctx: Ctx, { id, executionId }: { id: string; executionId: string }): Promise<string[]> {
  const { stepExecutions } = await getWorkflowExecution(ctx, { id, executionId })
  return stepExecutions.map(({ step: at, status, branch }) => [at?.type, status, ...(branch ? [branch] : [])].join(' '))
}
