import { type RouteNotes, route } from '../../kit/route.ts'
import { ById, Empty } from '../../kit/shapes.ts'
import { createWorkflow, deleteWorkflow, duplicateWorkflow, updateWorkflow } from './changes.ts'
import { cancelWorkflowExecution, cancelWorkflowExecutions } from './executions/cancel.ts'
import { getWorkflowExecution, listWorkflowExecutions } from './executions/executions.ts'
import {
  CancelledExecutions,
  ExecutionDraft,
  ExecutionOfWorkflow,
  ExecutionPage,
  ExecutionSearch,
  WorkflowExecutionWithSteps,
} from './executions/shapes.ts'
import { startWorkflowExecution } from './executions/start.ts'
import { listWorkflowFields } from './fields/fields.ts'
import { WorkflowFields, WorkflowFieldsSearch } from './fields/shapes.ts'
import { getWorkflow } from './graph/graph.ts'
import {
  StepChange,
  StepDraft,
  StepRemovalQuery,
  TransitionDraft,
  TransitionRemoval,
  WorkflowStep,
  WorkflowTransition,
  WorkflowWithGraph,
} from './graph/shapes.ts'
import { createWorkflowStep, deleteWorkflowStep, updateWorkflowStep } from './graph/steps.ts'
import { createWorkflowTransition, deleteWorkflowTransition } from './graph/transitions.ts'
import { Workflow, WorkflowChange, WorkflowDraft, WorkflowPage, WorkflowSearch } from './shapes.ts'
import { listWorkflows } from './workflows.ts'

const missing: RouteNotes<unknown>['errors'] = ['RESOURCE_NOT_FOUND']

/** Workflows. */
const workflows = [
  route('GET', '/workflows', 'secret', WorkflowSearch, WorkflowPage, listWorkflows, { summary: 'List workflows, newest first' }),
  route('GET', '/workflows/fields', 'secret', WorkflowFieldsSearch, WorkflowFields, listWorkflowFields, {
    summary: 'List the fields that conditions of workflows can ask',
    description:
      'Those of contacts, and with `eventName` the keys of the data of its newest 100 events: a condition asks `event.<key>` of the event that started the execution.',
  }),
  route('POST', '/workflows', 'secret', WorkflowDraft, Workflow, createWorkflow, {
    summary: 'Create a workflow',
    description: 'Its trigger is EVENT, it has no steps, and it is disabled. At most 500 per project.',
    status: 201,
    errors: ['LIMIT_REACHED'],
  }),
  route('GET', '/workflows/:id', 'secret', ById, WorkflowWithGraph, getWorkflow, {
    summary: 'Get a workflow with its steps and transitions',
    errors: missing,
  }),
  route('PATCH', '/workflows/:id', 'secret', WorkflowChange, Workflow, updateWorkflow, {
    summary: 'Change or enable a workflow',
    description:
      'Fields that are left out stay as they are; null empties `description` and `triggerConfig`. It cannot be enabled while a step that contacts come to must fail: `issues` says which. One event starts at most 20 enabled workflows of a project: another one is refused. To disable it keeps executions from starting; those that have begun go on.',
    errors: ['RESOURCE_NOT_FOUND', 'LIMIT_REACHED'],
  }),
  route('DELETE', '/workflows/:id', 'secret', ById, Empty, deleteWorkflow, {
    summary: 'Delete a workflow',
    description: 'What it has sent and logged stays.',
    status: 204,
    errors: ['RESOURCE_NOT_FOUND', 'WORKFLOW_ACTIVE'],
  }),
  route('POST', '/workflows/:id/duplicate', 'secret', ById, Workflow, duplicateWorkflow, {
    summary: 'Duplicate a workflow',
    description: 'The copy has ` (Copy)` added to its name, the same steps and transitions, and is disabled.',
    status: 201,
    errors: ['RESOURCE_NOT_FOUND', 'LIMIT_REACHED'],
  }),
]

/** The steps of workflows, and their transitions. */
const graph = [
  route('POST', '/workflows/:id/steps', 'secret', StepDraft, WorkflowStep, createWorkflowStep, {
    summary: 'Add a step to a workflow',
    description:
      'The oldest step that no transition leads to is the one that executions begin with. At most 100 steps per workflow, whose configs have at most 256 KB together. Changes of an enabled workflow are for executions that start from then on; while a step must fail, these start on the last version without errors.',
    status: 201,
    errors: ['RESOURCE_NOT_FOUND', 'TEMPLATE_NOT_FOUND', 'LIMIT_REACHED'],
  }),
  route('PATCH', '/workflows/:id/steps/:stepId', 'secret', StepChange, WorkflowStep, updateWorkflowStep, {
    summary: 'Change a step of a workflow',
    description: 'Fields that are left out stay as they are; `config` is replaced as a whole. Its type cannot change.',
    errors: ['RESOURCE_NOT_FOUND', 'TEMPLATE_NOT_FOUND'],
  }),
  route('DELETE', '/workflows/:id/steps/:stepId', 'secret', StepRemovalQuery, Empty, deleteWorkflowStep, {
    summary: 'Delete a step of a workflow',
    description:
      'Only the step and its own transitions go. With `splice=true` what led to it leads to the step after it; a step with several exits is refused then.',
    status: 204,
    errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
  }),
  route('POST', '/workflows/:id/transitions', 'secret', TransitionDraft, WorkflowTransition, createWorkflowTransition, {
    summary: 'Add a transition',
    description:
      'Each exit of a step leads to one step. A transition that is there already is answered with 200 as it is. Circles are refused. A workflow has at most 300 transitions.',
    status: { of: (answer) => ('isNew' in answer && answer.isNew === false ? 200 : 201), all: [201, 200] },
    errors: ['RESOURCE_NOT_FOUND', 'LIMIT_REACHED'],
  }),
  route('DELETE', '/workflows/:id/transitions/:transitionId', 'secret', TransitionRemoval, Empty, deleteWorkflowTransition, {
    summary: 'Delete a transition of a workflow',
    description: 'Its steps stay.',
    status: 204,
    errors: missing,
  }),
]

/** The executions of workflows. */
const executions = [
  route('POST', '/workflows/:id/executions', 'secret', ExecutionDraft, WorkflowExecutionWithSteps, startWorkflowExecution, {
    summary: 'Start an execution of a workflow for a contact',
    description:
      'The workflow must be enabled; its trigger may be of either type. A contact is in a workflow once at a time, and without `allowReentry` once for ever. After 100 starts for a contact within an hour an execution is answered EXITED, with the reason `loop guard`.',
    status: 201,
    errors: ['RESOURCE_NOT_FOUND', 'CONTACT_NOT_FOUND', 'WORKFLOW_DISABLED', 'EXECUTION_ACTIVE', 'CONFLICT'],
  }),
  route('GET', '/workflows/:id/executions', 'secret', ExecutionSearch, ExecutionPage, listWorkflowExecutions, {
    summary: 'List the executions of a workflow, newest first',
    description: 'Without their contexts and steps: get one for those.',
    errors: missing,
  }),
  route('GET', '/workflows/:id/executions/:executionId', 'secret', ExecutionOfWorkflow, WorkflowExecutionWithSteps, getWorkflowExecution, {
    summary: 'Get an execution with everything that its steps did',
    errors: missing,
  }),
  route(
    'DELETE',
    '/workflows/:id/executions/:executionId',
    'secret',
    ExecutionOfWorkflow,
    WorkflowExecutionWithSteps,
    cancelWorkflowExecution,
    {
      summary: 'Cancel an execution',
      description: 'None of its steps is done after the answer.',
      errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
    },
  ),
  route('POST', '/workflows/:id/executions/cancel-all', 'secret', ById, CancelledExecutions, cancelWorkflowExecutions, {
    summary: 'Cancel every execution of a workflow that has not ended',
    errors: missing,
  }),
]

/** The endpoints of workflows. */
export const routes = [...workflows, ...graph, ...executions]
