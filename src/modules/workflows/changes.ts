import type { Ctx } from '../../kit/context.ts'
import { copyName } from '../../kit/cut.ts'
import { Failure, notFound } from '../../kit/errors.ts'
import { newId } from '../../kit/ids.ts'
import type { Executor, Transaction } from '../../kit/postgres/db.ts'
import { type IfUnchanged, requireUnchanged } from '../../kit/unchanged.ts'
import { lockReferences } from '../filters/segments/needed.ts'
import { lockInputsOf, removeUnusedInputs } from './executions/inputs/sql.ts'
import { type Refusal, readGraph, storeWorkflow, takeWorkflow } from './graph/graph.ts'
import { insertSteps, insertTransitions } from './graph/sql.ts'
import type { Graph } from './graph/structure.ts'
import {
  eraseExecutionsQueue,
  maxNameLength,
  maxWorkflows,
  maxWorkflowsPerEvent,
  type StoredWorkflow,
  type Workflow,
  type WorkflowChange,
  type WorkflowDraft,
} from './shapes.ts'
import {
  countStartedBy,
  countWorkflows,
  eraseEntriesOf,
  eraseExecutionsOf,
  executionsPerBatch,
  findActiveExecution,
  insertWorkflow,
  lockProjectWorkflows,
  lockToDelete,
  removeStepCountsOf,
  removeWorkflow,
} from './sql.ts'
import { namedBy } from './steps/kinds.ts'
import { findBrokenSteps, shown } from './workflows.ts'

type Call = Pick<Ctx, 'db' | 'clock' | 'projectId'>

/** Creates a workflow, with the trigger EVENT unless it says otherwise, disabled and without steps. Fails with LIMIT_REACHED when the project has 500. */
export async function createWorkflow(
  ctx: Call,
  { triggerType = 'EVENT', ...draft }: WorkflowDraft & { triggerType?: Workflow['triggerType'] | undefined },
): Promise<Workflow> {
  const { name, description = null, eventName, triggerConfig, allowReentry = false, exitEvents = [] } = draft
  const event = eventName ?? triggerConfig?.eventName ?? null
  return ctx.db.transaction(async (tx) => {
    await takeRoom(tx, ctx.projectId)
    return shown(await add(ctx, tx, { name, description, triggerType, eventName: event, exitEvents, allowReentry }), [])
  })
}

type Settings = Pick<StoredWorkflow, 'name' | 'description' | 'triggerType' | 'eventName' | 'exitEvents' | 'allowReentry'>

async function add({ clock, projectId }: Call, tx: Transaction, settings: Settings): Promise<StoredWorkflow> {
  const { name, description, triggerType, eventName, exitEvents, allowReentry } = settings
  const now = clock.now()
  const values = [newId('workflow', now), name, description, triggerType, eventName, exitEvents, allowReentry, now]
  const [workflow] = await tx.run(insertWorkflow, [projectId, ...values])
  if (!workflow) throw notFound()
  return workflow
}

// Until the transaction ends, no other one adds a workflow to the project.
async function takeRoom(tx: Executor, projectId: string): Promise<void> {
  await tx.run(lockProjectWorkflows, [projectId])
  const [existing] = await tx.run(countWorkflows, [projectId])
  if (existing && existing.count >= maxWorkflows)
    throw new Failure('LIMIT_REACHED', `This project has ${maxWorkflows} workflows, which is the maximum.`)
}

/**
 * Changes the settings of a workflow; fields that are left out stay, null empties the description and the trigger. To disable it keeps
 * new executions from starting, those that have begun go on. Fails with RESOURCE_NOT_FOUND, and with VALIDATION_ERROR, which names each
 * step, when it is enabled although a step must fail or asks for a segment that was deleted, also through others, or when no event would
 * start it any more. Fails with LIMIT_REACHED when an event would begin to start it that starts 20 enabled workflows of the project, and
 * with CONFLICT when it has changed since `ifUpdatedAt`.
 */
export async function updateWorkflow(ctx: Call, { id, ifUpdatedAt, ...change }: WorkflowChange & IfUnchanged): Promise<Workflow> {
  const { db, projectId } = ctx
  const stored = await db.transaction(async (tx) => {
    const settings = settingsIn(change)
    if (settings.enabled) await lockReferences(tx, projectId)
    // Before the workflow, as whoever copies it does.
    if (mayBegin(settings)) await tx.run(lockProjectWorkflows, [projectId])
    const before = await takeWorkflow(tx, projectId, id)
    requireUnchanged(before, { ifUpdatedAt })
    const after = { ...before, ...settings }
    if (isSame(before, after)) return before
    await refuseBeyondLimit(tx, projectId, before, after)
    return storeWorkflow(ctx, tx, after, after.enabled ? (before.enabled ? ofEnabled : ofEnabling) : undefined)
  })
  return shown(stored, await findBrokenSteps(ctx.db, projectId, [id]))
}

const ofEnabling: Refusal = {
  of: () => true,
  sentence: 'The workflow cannot be enabled',
  suggestion: 'See "issues" of the workflow: with none of the severity ERROR it can be enabled.',
}

const ofEnabled: Refusal = {
  of: ({ code }) => code === 'missing_event',
  sentence: 'The workflow is enabled, and nothing would start it any more',
  suggestion: 'Name another event in "triggerConfig", or disable the workflow first.',
}

// Whether some workflow might be started by another event after such a change.
function mayBegin({ enabled, eventName, triggerType }: Partial<StoredWorkflow>): boolean {
  return enabled === true || eventName != null || triggerType === 'EVENT'
}

const startingEvent = ({ enabled, triggerType, eventName }: StoredWorkflow) => (enabled && triggerType === 'EVENT' ? eventName : null)

async function refuseBeyondLimit(tx: Executor, projectId: string, before: StoredWorkflow, after: StoredWorkflow): Promise<void> {
  const event = startingEvent(after)
  if (event === null || event === startingEvent(before)) return
  const [others] = await tx.run(countStartedBy, [projectId, event, after.id])
  if (others && others.count >= maxWorkflowsPerEvent)
    throw new Failure(
      'LIMIT_REACHED',
      `The event "${event}" starts ${others.count} enabled workflows of this project; the maximum is ${maxWorkflowsPerEvent}.`,
      {
        suggestion: 'Disable one of them, or let another event start this one.',
      },
    )
}

function settingsIn({ triggerConfig, ...change }: Omit<WorkflowChange, 'id'>): Partial<StoredWorkflow> {
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(given), ...(triggerConfig !== undefined && { eventName: triggerConfig?.eventName ?? null }) }
}

function isSame(before: StoredWorkflow, after: StoredWorkflow): boolean {
  return JSON.stringify(before) === JSON.stringify(after)
}

/**
 * Deletes a workflow with its steps; what it has logged and sent stays, its ended executions are removed behind it. Fails with
 * RESOURCE_NOT_FOUND, and with WORKFLOW_ACTIVE while an execution has not ended.
 */
export async function deleteWorkflow(
  { db, jobs, projectId }: Pick<Ctx, 'db' | 'jobs' | 'projectId'>,
  { id }: { id: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    if ((await tx.run(lockToDelete, [projectId, id])).length === 0) throw notFound()
    if ((await tx.run(findActiveExecution, [projectId, id])).length > 0) throw new Failure('WORKFLOW_ACTIVE')
    await tx.run(removeWorkflow, [projectId, id])
    await jobs.enqueue(eraseExecutionsQueue, { projectId, workflowId: id }, tx)
  })
}

/** Removes what a deleted workflow has left, in batches that each commit: executions, entries and counts. Safe to run again. */
export async function eraseExecutions(
  { db }: Pick<Ctx, 'db'>,
  { projectId, workflowId }: { projectId: string; workflowId: string },
): Promise<void> {
  while ((await removeSomeExecutions(db, projectId, workflowId)) > 0);
  while ((await eraseEntriesOf(db, projectId, workflowId)) > 0);
  await db.run(removeStepCountsOf, [projectId, workflowId])
}

async function removeSomeExecutions(db: Ctx['db'], projectId: string, workflowId: string): Promise<number> {
  return db.transaction(async (tx) => {
    const inputs = await tx.run(lockInputsOf, [projectId, workflowId, executionsPerBatch])
    const removed = await eraseExecutionsOf(tx, projectId, workflowId)
    if (inputs.length > 0) await tx.run(removeUnusedInputs, [projectId, inputs.map(({ id }) => id)])
    return removed
  })
}

/**
 * Copies a workflow with its steps and transitions under its name with ` (Copy)` added. The copy is disabled and has no executions.
 * Fails with RESOURCE_NOT_FOUND, and with LIMIT_REACHED when the project has 500 workflows.
 */
export async function duplicateWorkflow(ctx: Call, { id }: { id: string }): Promise<Workflow> {
  const { db, clock, projectId } = ctx
  const stored = await db.transaction(async (tx) => {
    await takeRoom(tx, projectId)
    const source = await takeWorkflow(tx, projectId, id)
    const copy = await add(ctx, tx, { ...source, name: copyName(source.name, maxNameLength) })
    const { steps, transitions } = withNewIds(await readGraph(tx, projectId, id), clock.now())
    const named = steps.map((step) => ({ ...step, ...namedBy(step) }))
    await tx.run(insertSteps, [projectId, copy.id, JSON.stringify(named), clock.now()])
    await tx.run(insertTransitions, [projectId, copy.id, JSON.stringify(transitions), clock.now()])
    return storeWorkflow(ctx, tx, copy)
  })
  return shown(stored, await findBrokenSteps(db, projectId, [stored.id]))
}

function withNewIds({ steps, transitions }: Graph, now: Date): Graph {
  const ids = new Map(steps.map(({ id }) => [id, newId('step', now)]))
  const idOf = (id: string) => ids.get(id) ?? id
  return {
    steps: steps.map((step) => ({ ...step, id: idOf(step.id) })),
    transitions: transitions.map((one) => ({
      ...one,
      id: newId('transition', now),
      fromStepId: idOf(one.fromStepId),
      toStepId: idOf(one.toStepId),
    })),
  }
}
