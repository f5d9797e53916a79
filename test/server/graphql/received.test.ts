import { assertObjectType, type GraphQLField, type GraphQLObjectType, isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { accessOf } from '../../../src/kit/field-access.ts'
import { schema } from '../../../src/server/graphql/schema.ts'

type Field = GraphQLField<unknown, unknown>
type Resolver = (...given: never[]) => unknown

/** Fields that read more than their object holds, for everyone who received the object: what a member and the secret key may all read. */
const content: Record<string, string> = {
  Campaign: 'audiencePreview body condition document links recipients segment source stats template',
  CampaignRecipient: 'contact email',
  CampaignSummary: 'campaigns',
  Contact: 'data emails events executions segments suppression',
  ContactField: 'usage',
  ContactFieldUsage: 'campaigns segments workflows',
  Domain: 'usage',
  DomainUsage: 'campaigns templates',
  Email: 'campaign contact events eventsOmitted execution message template timeline',
  EmailTimelineEntry: 'event',
  EmailTotals: 'previous',
  Event: 'campaign contact data email execution',
  EventUsage: 'campaigns segments workflows',
  FoundContact: 'contact',
  Job: 'done operation total',
  LiveActivity: 'campaign contact email event execution',
  PastActivity: 'campaign contact email event execution',
  Segment: 'condition contacts explanation issues usage',
  SegmentUsage: 'campaigns segments workflows',
  SentEmail: 'contact email',
  Suppression: 'causedBy contact reasonText',
  Template: 'body document version versions workflowSteps',
  TemplateUsage: 'campaigns emailsSent',
  TemplateVersion: 'body document',
  UpcomingActivity: 'campaign contact execution',
  Upload: 'url',
  Workflow: 'entryStep executionCounts executions issues steps transitions',
  WorkflowExecution: 'contact context currentStep graph startedBy stepExecutions workflow',
  WorkflowExit: 'transition',
  WorkflowIssue: 'step transition',
  WorkflowStep: 'active completed config entered exits failed template workflow',
  WorkflowStepExecution: 'email input output step',
  WorkflowTransition: 'from to',
}

/** The same of what a mutation answers: what it has changed, which its caller may read. */
const changed: Record<string, string> = {
  AcceptInvitationPayload: 'project',
  AddSegmentMembersPayload: 'segment',
  BulkDeleteContactsPayload: 'job',
  BulkSubscribeContactsPayload: 'job',
  BulkUnsubscribeContactsPayload: 'job',
  CancelCampaignPayload: 'campaign',
  CancelWorkflowExecutionPayload: 'execution',
  CancelWorkflowExecutionsPayload: 'workflow',
  ComputeSegmentPayload: 'segment',
  CreateCampaignPayload: 'campaign',
  CreateTemplatePayload: 'template',
  CreateWorkflowPayload: 'workflow',
  CreateWorkflowStepPayload: 'step workflow',
  CreateWorkflowTransitionPayload: 'transition workflow',
  DeleteWorkflowStepPayload: 'workflow',
  DeleteWorkflowTransitionPayload: 'workflow',
  DuplicateCampaignPayload: 'campaign',
  DuplicateTemplatePayload: 'template',
  DuplicateWorkflowPayload: 'workflow',
  ImportContactsPayload: 'job',
  JoinProjectPayload: 'project',
  MoveWorkflowStepsPayload: 'workflow',
  PauseCampaignPayload: 'campaign',
  RefreshSegmentPayload: 'segment',
  RemoveSegmentMembersPayload: 'segment',
  RestoreTemplateVersionPayload: 'template',
  ResumeCampaignPayload: 'campaign',
  SendCampaignPayload: 'campaign',
  StartWorkflowExecutionPayload: 'execution',
  SuppressAddressesPayload: 'suppressions',
  TrackEventPayload: 'contact event',
  UpdateBillingLimitsPayload: 'billingLimits',
  UpdateCampaignPayload: 'campaign',
  UpdateTemplatePayload: 'template',
  UpdateWorkflowPayload: 'workflow',
  UpdateWorkflowStepPayload: 'step workflow',
}

const roots = ['Query', 'Mutation', 'Subscription']
const objects = Object.values(schema.getTypeMap()).filter((type): type is GraphQLObjectType => isObjectType(type))
const received = objects.filter(({ name }) => !roots.includes(name) && !name.startsWith('__'))
const unstatedOf = (type: GraphQLObjectType) => Object.values(type.getFields()).filter((field) => !accessOf(field))
const namesOf = (listed: Record<string, string>) =>
  Object.entries(listed).flatMap(([type, names]) => names.split(' ').map((name) => `${type}.${name}`))

// A resolver of ours that is given the call, which may read whatever is in the project.
function readsMore({ name, extensions }: Field): boolean {
  const { resolve } = (extensions.pothosOptions ?? {}) as { resolve?: Resolver }
  const isOfLibrary = name === 'id' || extensions.pothosPrismaRelationField === true
  return resolve !== undefined && !isOfLibrary && isGivenCall(resolve)
}

function isGivenCall(resolve: Resolver): boolean {
  const [parameters = ''] = String(resolve).split('=>')
  return resolve.length > 2 || /\.\.\.|=/.test(parameters)
}

test('a field of an object that is given the call says who may use it (`access`), unless all who receive the object may', () => {
  const reading = received.flatMap((type) =>
    unstatedOf(type)
      .filter(readsMore)
      .map(({ name }) => `${type.name}.${name}`),
  )
  expect(reading.toSorted()).toEqual([...namesOf(content), ...namesOf(changed)].toSorted())
})

// What not everybody may see of them is left out of the object itself, by the role of the caller in that project.
test('a field of Project says who may use it, unless it is one of these, which are what `getProject` shows the caller', () => {
  const shown = 'createdAt disabled disabledReason id keys language name role tracking updatedAt utm webhookSecret'
  expect(
    unstatedOf(assertObjectType(schema.getType('Project')))
      .map(({ name }) => name)
      .toSorted()
      .join(' '),
  ).toBe(shown)
})

test.each([
  ['the call', (_parent: unknown, _args: unknown, ctx: unknown) => ctx, true],
  ['all there is', (...all: unknown[]) => all, true],
  ['all after its object', (_parent: unknown, ...rest: unknown[]) => rest, true],
  ['the call, after a default', (_parent: unknown, _args = {}, ctx?: unknown) => ctx, true],
  ['its object', (parent: unknown) => parent, false],
  ['its object and arguments', async (parent: { id: string }, args: unknown) => [parent, args], false],
])('a resolver that is given %s is recognised', (_what, resolve, expected) => {
  expect(isGivenCall(resolve)).toBe(expected)
})
