import { z } from 'zod'
import { listOf, recordOf } from '../../../kit/bounded.ts'
import { Flag, line, Text } from '../../../kit/shapes.ts'
import { maxNameLength, Workflow } from '../shapes.ts'
import { exitsText, partsText, StepType, templateTypes, templateTypesText } from '../steps/kinds.ts'

/** Maximum number of steps of a workflow. */
export const maxSteps = 100
/** Maximum number of transitions of a workflow. */
export const maxTransitions = 300
/** Maximum number of transitions that lead to one step. */
export const maxIncoming = 100
/** Maximum number of transitions that lead from one step: those of its exits, and ones whose branch is gone. */
export const maxOutgoing = 100

/** How far from the origin a step may stand, in pixels. */
export const farthest = 1_000_000
const Position = z
  .object({
    x: z.number().min(-farthest).max(farthest).describe('From the left, -1,000,000 to 1,000,000.'),
    y: z.number().min(-farthest).max(farthest).describe('From the top, -1,000,000 to 1,000,000.'),
  })
  .meta({ id: 'StepPosition', description: 'Where an editor shows a step, in pixels.', examples: [{ x: 0, y: 150 }] })

/** Leads from one step to another. */
export const WorkflowTransition = z
  .object({
    id: z.string().meta({ examples: ['trn_01m7y3mwcpfqhrhzca2e1aqg79'] }),
    fromStepId: z.string(),
    toStepId: z.string(),
    branch: z.string().nullable().describe('The exit of the step it leads from: null for the plain one.'),
    condition: z.object({ branch: z.string() }).nullable().describe('The same as `branch`.'),
    priority: z.int(),
  })
  .meta({ id: 'WorkflowTransition', description: 'Leads from one step of a workflow to another.' })
/** Leads from one step to another. */
export type WorkflowTransition = z.output<typeof WorkflowTransition>

/** A step of a workflow. */
export const WorkflowStep = z
  .object({
    id: z.string().meta({ examples: ['stp_01m7y3mwcpfqhrhzca2e1aqg79'] }),
    type: StepType,
    name: z.string(),
    position: Position,
    config: z
      .record(z.string(), z.unknown())
      .describe('What the step does: of what was sent, the parts that its type has; `templateId` as well where it has one.'),
    templateId: z.string().nullable().describe(`The template that a step of the type ${templateTypesText} sends.`),
    outgoingTransitions: z.array(WorkflowTransition),
    incomingTransitions: z.array(WorkflowTransition),
  })
  .meta({ id: 'WorkflowStep', description: 'A step of a workflow.' })
/** A step of a workflow. */
export type WorkflowStep = z.output<typeof WorkflowStep>

/** A workflow with its steps and transitions, in the order in which they were added. */
export const WorkflowWithGraph = Workflow.extend({
  steps: z.array(WorkflowStep).describe('Its steps, at most 100.'),
  transitions: z.array(WorkflowTransition).describe('Its transitions, at most 300.'),
}).meta({ id: 'WorkflowWithGraph', description: 'A workflow with its steps and transitions.' })
/** A workflow with its steps and transitions. */
export type WorkflowWithGraph = z.output<typeof WorkflowWithGraph>

/** What the config of a step has, for the API. */
export const configText = `What the step does, at most 64 KB; it may be incomplete until the workflow is enabled.\n${partsText}`

// Steps have ten at most; others are ignored.
const maxConfigKeys = 100

const fields = {
  name: line(maxNameLength).meta({ description: 'What people call it, one line of 1 to 100 characters.', examples: ['Welcome email'] }),
  position: Position,
  config: recordOf(z.string(), z.unknown(), { max: maxConfigKeys }).meta({
    description: configText,
    examples: [{ amount: 2, unit: 'days' }],
  }),
  templateId: z.string().nullable().describe(`The template that a step of the type ${templateTypesText} sends; null for none.`),
}
const id = z.string().describe('Id of the workflow.')
const stepExample = { name: 'Wait two days', position: { x: 0, y: 150 }, config: { amount: 2, unit: 'days' } }

/** A step to add to a workflow. */
export const StepDraft = z
  .object({
    id,
    type: StepType,
    name: fields.name.optional().describe('One line of 1 to 100 characters. Default: what its type is called.'),
    position: fields.position.optional().describe('Where an editor shows it. Default: below the steps that are there.'),
    config: fields.config.nullable().optional(),
    templateId: fields.templateId.optional(),
    autoConnect: z
      .boolean()
      .optional()
      .describe('Whether the newest step that leads nowhere leads to it from now on, by its first exit. Default: false.'),
  })
  .meta({
    id: 'StepDraft',
    examples: [{ type: 'DELAY', ...stepExample, autoConnect: true }],
    // For the API reference; the config of each type is checked with it.
    anyOf: [{ properties: { type: { enum: templateTypes } } }, { properties: { templateId: { type: 'null' } } }],
  })
/** A step to add to a workflow. */
export type StepDraft = z.output<typeof StepDraft>

/** Where a new step stands from the first: unconnected, or at one of these places. */
export const StepPlace = z.object({
  autoConnect: StepDraft.shape.autoConnect,
  after: z
    .object({
      stepId: z.string().describe('Id of the step before the new one.'),
      branch: z.string().max(100).nullable().optional().describe(`Its exit; null or left out for the plain one. ${exitsText}`),
    })
    .meta({ id: 'StepAfter', description: 'The exit of a step that leads to a new step.' })
    .optional()
    .describe(
      'The exit that leads to the new step from now on. What it has led to follows the first exit of the new step, or nothing where that is an EXIT.',
    ),
  asFirst: z
    .boolean()
    .optional()
    .describe(
      'Whether executions begin with the new step from now on: what they have begun with follows its first exit. Fails while nothing leads to another step besides. Default: false.',
    ),
})
/** Where a new step stands from the first: unconnected, or at one of these places. */
export type StepPlace = z.output<typeof StepPlace>

/** Changes to a step; fields that are left out stay, `config` is replaced as a whole. */
export const StepChange = z
  .object({
    id,
    stepId: z.string().describe('Id of the step.'),
    name: fields.name.optional(),
    position: fields.position.optional(),
    config: fields.config.optional(),
    templateId: fields.templateId.optional(),
  })
  .meta({ id: 'StepChange', examples: [stepExample] })
/** Changes to a step. */
export type StepChange = z.output<typeof StepChange>

/** The input of a change of what is in a workflow, which may be left out: a step or transition is in one only. */
export type InAnyWorkflow<Input extends { id: string }> = Omit<Input, 'id'> & Partial<Pick<Input, 'id'>>

/** What was changed: its id, and that of the workflow it is or was in. */
export interface Changed {
  workflowId: string
  id: string
}

/** Steps to move in the editor. */
export const StepMoves = z.object({
  id,
  positions: listOf(
    z
      .object({ stepId: z.string().describe('Id of the step.'), position: fields.position.describe('Where an editor shows it.') })
      .meta({ id: 'StepMove', description: 'A step, and where it is moved.' }),
    { min: 1, max: maxSteps },
  ).describe('The steps that move, each once, 1 to 100; the others stay.'),
})
/** Steps to move in the editor. */
export type StepMoves = z.output<typeof StepMoves>

const spliceText = 'Whether what led to the step leads to the step after it from then on. Default: false.'

/** A step to remove from a workflow. */
export const StepRemoval = z.object({
  id,
  stepId: z.string().describe('Id of the step.'),
  splice: z.boolean().optional().describe(spliceText),
})
/** A step to remove from a workflow. */
export type StepRemoval = z.output<typeof StepRemoval>

/** StepRemoval as a path and parameters of a URL. */
export const StepRemovalQuery = StepRemoval.extend({ splice: Flag.optional().describe(spliceText) })

const branch = Text.max(64)

/** A transition to add to a workflow. */
export const TransitionDraft = z
  .object({
    id,
    fromStepId: z.string().describe('Id of the step it leads from.'),
    toStepId: z.string().describe('Id of the step it leads to.'),
    branch: branch
      .nullable()
      .optional()
      .meta({
        description: `The exit of the step it leads from. ${exitsText}`,
        examples: ['yes'],
      }),
    condition: z.object({ branch: branch.nullable().optional() }).nullable().optional().describe('The same as `branch`.'),
    priority: z.int().min(0).max(1_000).optional().describe('The order in which an editor shows the exits, 0 to 1,000. Default: 0.'),
  })
  .meta({
    id: 'TransitionDraft',
    examples: [{ fromStepId: 'stp_01m7y3mwcpfqhrhzca2e1aqg79', toStepId: 'stp_01m7y3mwcpfqhrhzca2e1aqg80', priority: 1 }],
  })
/** A transition to add to a workflow. */
export type TransitionDraft = z.output<typeof TransitionDraft>

/** What becomes of a transition that takes the exit already. */
export const TransitionReplacing = z.object({
  replace: z
    .boolean()
    .optional()
    .describe('Whether an exit that leads elsewhere leads here from now on; if that is refused, it goes on leading there. Default: false.'),
})
/** What becomes of a transition that takes the exit already. */
export type TransitionReplacing = z.output<typeof TransitionReplacing>

/** A transition to remove from a workflow. */
export const TransitionRemoval = z.object({ id, transitionId: z.string().describe('Id of the transition.') })
/** A transition to remove from a workflow. */
export type TransitionRemoval = z.output<typeof TransitionRemoval>
