import type { Ctx } from '../../../kit/context.ts'
import { Failure, invalid, notFound } from '../../../kit/errors.ts'
import { newId } from '../../../kit/ids.ts'
import type { Executor, Transaction } from '../../../kit/postgres/db.ts'
import { read } from '../../../kit/problems.ts'
import { type IfUnchanged, requireUnchanged } from '../../../kit/unchanged.ts'
import { segmentsOf } from '../../filters/language.ts'
import { requireReferences, requireRoomTogether } from '../../filters/references.ts'
import { holdSegments } from '../../filters/segments/needed.ts'
import type { StoredWorkflow } from '../shapes.ts'
import { plain } from '../steps/kind.ts'
import { exitNamed, exitsOf, kinds, namedBy, type StepType, templateTypesText } from '../steps/kinds.ts'
import { changeGraph, readGraph, shownStep } from './graph.ts'
import { placingOf } from './place.ts'
import { getWorkflowOfStep } from './relations.ts'
import {
  type Changed,
  farthest,
  type InAnyWorkflow,
  maxIncoming,
  maxSteps,
  type StepChange,
  type StepDraft,
  type StepMoves,
  type StepPlace,
  type StepRemoval,
  type WorkflowStep,
} from './shapes.ts'
import {
  changeStep,
  insertSteps,
  insertTransitions,
  lockTemplate,
  moveSteps,
  removeStep,
  removeTransitions,
  type StepRow,
  selectStepTime,
  type TransitionRow,
} from './sql.ts'
import { type Graph, stepIn } from './structure.ts'

type Call = Pick<Ctx, 'db' | 'clock' | 'projectId'>

const gap = 150
const maxConfigBytes = 64 * 1024
const maxGraphBytes = 256 * 1024

/**
 * Adds a step to a workflow, unconnected or at a place, in one transaction. Its config may be incomplete. Fails with
 * RESOURCE_NOT_FOUND, TEMPLATE_NOT_FOUND, LIMIT_REACHED when the workflow has 100 steps or would have more than 300 transitions, and
 * VALIDATION_ERROR for a config with a wrong type, of more than 64 KB, or that refers to segments that do not exist (while the workflow is
 * enabled, also through others), and for a place that does not exist.
 */
export async function createWorkflowStep(ctx: Call, { id, ...draft }: StepDraft & StepPlace): Promise<WorkflowStep & Changed> {
  const { clock, projectId } = ctx
  const { type } = draft
  const sent = readConfig(type, draft.config ?? {}, draft.templateId)
  return changeGraph(ctx, id, async (tx, { graph, workflow }) => {
    const { steps } = graph
    if (steps.length >= maxSteps) throw new Failure('LIMIT_REACHED', `This workflow has ${maxSteps} steps, which is the maximum.`)
    const now = clock.now()
    const { x, y } = draft.position ?? placeBelow(steps)
    const { config, templateId = null } = sent
    const step: StepRow = { id: newId('step', now), type, name: draft.name ?? kinds[type].label, x, y, config, templateId }
    await requireConfig(tx, projectId, step, workflow)
    requireRoom([...steps, step])
    await requireTemplate(tx, projectId, templateId)
    await tx.run(insertSteps, [projectId, id, JSON.stringify([{ ...step, ...namedBy(step) }]), now])
    const { removed, added } = placingOf(step, draft, graph)
    const ways = added.map((way) => ({ ...way, id: newId('transition', now), priority: 0 }))
    if (removed.length > 0) await tx.run(removeTransitions, [projectId, id, removed.map((one) => one.id)])
    await tx.run(insertTransitions, [projectId, id, JSON.stringify(ways), now])
    return { ...shownStep(step, (await readGraph(tx, projectId, id)).transitions), workflowId: id }
  })
}

function placeBelow(steps: StepRow[]): { x: number; y: number } {
  const y = steps.length === 0 ? 0 : Math.max(...steps.map((one) => one.y)) + gap
  return { x: 0, y: Math.min(y, farthest) }
}

/**
 * Changes a step; fields that are left out stay, `config` is replaced as a whole, and a `templateId` of null takes the template away.
 * Fails like createWorkflowStep, and with CONFLICT when it has changed since `ifUpdatedAt`.
 */
export async function updateWorkflowStep(
  ctx: Call,
  { stepId, ifUpdatedAt, id: workflowId, ...change }: InAnyWorkflow<StepChange> & IfUnchanged,
): Promise<WorkflowStep & Changed> {
  const { clock, projectId } = ctx
  const id = workflowId ?? (await getWorkflowOfStep(ctx, { id: stepId }))
  return changeGraph(ctx, id, async (tx, { graph, workflow }) => {
    const before = stepIn(graph, stepId)
    const [stored] = await tx.run(selectStepTime, [projectId, id, stepId])
    if (stored) requireUnchanged(stored, { ifUpdatedAt })
    const sent = readConfig(before.type, change.config ?? {}, change.templateId)
    const { x, y } = change.position ?? before
    const config = change.config ? sent.config : before.config
    const templateId = sent.templateId === undefined ? before.templateId : sent.templateId
    const after: StepRow = { ...before, name: change.name ?? before.name, x, y, config, templateId }
    // What was saved stays, also a reference to something that has been deleted since.
    if (change.config) {
      await requireConfig(tx, projectId, after, workflow)
      requireRoom([...graph.steps.filter((step) => step !== before), after])
    }
    if (templateId !== before.templateId) await requireTemplate(tx, projectId, templateId)
    const { asks, segmentIds } = namedBy(after)
    const values = [after.name, x, y, JSON.stringify(config), templateId, asks, segmentIds, clock.now()]
    await tx.run(changeStep, [projectId, id, stepId, ...values])
    return { ...shownStep(after, graph.transitions), workflowId: id }
  })
}

/**
 * Moves steps in the editor, all or none: what executions do stays the same, and so does the version. Fails with RESOURCE_NOT_FOUND for
 * a step of another workflow, and with VALIDATION_ERROR for one that is named twice.
 */
export async function moveWorkflowSteps(ctx: Call, { id, positions }: StepMoves): Promise<Pick<Changed, 'workflowId'>> {
  const { clock, projectId } = ctx
  const named = positions.map(({ stepId }) => stepId)
  const twice = named.findIndex((stepId, at) => named.indexOf(stepId) < at)
  if (twice !== -1) throw invalid(`positions.${twice}.stepId`, 'names a step that is named before', 'duplicate')
  await changeGraph(ctx, id, async (tx, { graph }) => {
    const moved = positions.map(({ stepId, position }) => ({ id: stepIn(graph, stepId).id, ...position }))
    await tx.run(moveSteps, [projectId, id, JSON.stringify(moved), clock.now()])
  })
  return { workflowId: id }
}

/**
 * Removes a step with its own transitions; with `splice` what led to it leads to the step after it. Fails with RESOURCE_NOT_FOUND,
 * and with CONFLICT for a splice of a step with several exits.
 */
export async function deleteWorkflowStep(ctx: Call, { stepId, splice = false, ...place }: InAnyWorkflow<StepRemoval>): Promise<Changed> {
  const { clock, projectId } = ctx
  const id = place.id ?? (await getWorkflowOfStep(ctx, { id: stepId }))
  await changeGraph(ctx, id, async (tx, { graph }) => {
    const step = stepIn(graph, stepId)
    const joined = splice ? joinedAround(step, graph) : []
    await tx.run(removeStep, [projectId, id, stepId])
    await tx.run(insertTransitions, [projectId, id, JSON.stringify(joined), clock.now()])
  })
  return { workflowId: id, id: stepId }
}

// What led to the step, leading to the one after it.
function joinedAround(step: StepRow, { transitions }: Graph): TransitionRow[] {
  const after = transitions.filter(({ fromStepId }) => fromStepId === step.id)
  const exits = exitsOf(step)
  if ((exits.length > 0 && !exits.includes(plain)) || after.some(({ branch }) => exitNamed(step, branch) !== plain))
    throw notJoined(`The step "${step.name}" has several exits: what leads to it cannot be joined to one of them.`)
  const [next] = after
  if (!next) return []
  const joined = transitions.filter(({ toStepId }) => toStepId === step.id).map((one) => ({ ...one, toStepId: next.toStepId }))
  const others = transitions.filter((one) => one.toStepId === next.toStepId && one !== next)
  if (joined.length + others.length > maxIncoming) throw notJoined(`More than ${maxIncoming} transitions would lead to one step.`)
  return joined
}

function notJoined(message: string): Failure {
  return new Failure('CONFLICT', message, { suggestion: 'Delete it without "splice", and add the transitions that you need.' })
}

interface SentConfig {
  config: object
  /** Left out where neither the config nor the step names one. */
  templateId?: string | null
}

// A template may stand in the config as well; empty parts of a config count as left out.
function readConfig(type: StepType, sent: object, given: string | null | undefined): SentConfig {
  if (JSON.stringify(sent).length > maxConfigBytes) throw invalid('config', 'must be at most 64 KB as JSON', 'too_big')
  const { templateId: named, ...rest } = sent as Record<string, unknown>
  if (named != null && typeof named !== 'string') throw invalid('config.templateId', 'must be a string', 'invalid_type')
  const templateId = given === undefined ? named : given
  if (templateId != null && !kinds[type].takesTemplate)
    throw invalid('templateId', `must be left out: only steps of the type ${templateTypesText} send a template`, 'not_allowed')
  const config = read(
    kinds[type].config,
    Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null)),
    'body',
    (field) => (field ? `config.${field}` : 'config'),
  )
  return { config, ...(templateId !== undefined && { templateId }) }
}

async function requireConfig(
  tx: Transaction,
  projectId: string,
  { type, config }: StepRow,
  { enabled }: Pick<StoredWorkflow, 'enabled'>,
): Promise<void> {
  const placed = kinds[type].conditions?.(config) ?? []
  for (const { at, condition } of placed) {
    const field = ['config', at].filter(Boolean).join('.')
    await requireReferences(tx, projectId, { condition, field })
    if (enabled && (await holdSegments(tx, projectId, segmentsOf(condition))).size > 0)
      throw invalid(field, 'refers to a segment that leads to one that was deleted', 'unknown_segment')
  }
  // One visit of the step asks all of them.
  await requireRoomTogether(tx, projectId, { conditions: placed.map(({ condition }) => condition), field: 'config' })
}

function requireRoom(steps: StepRow[]): void {
  const bytes = steps.reduce((sum, { config }) => sum + JSON.stringify(config).length, 0)
  if (bytes > maxGraphBytes) throw invalid('config', 'makes the configs of the steps larger than 256 KB together', 'too_big')
}

async function requireTemplate(tx: Executor, projectId: string, templateId: string | null): Promise<void> {
  if (templateId === null) return
  const [found] = await tx.run(lockTemplate, [projectId, templateId])
  if (!found) throw notFound('TEMPLATE_NOT_FOUND')
}
