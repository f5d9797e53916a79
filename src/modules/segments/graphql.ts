import { builder, payloadOf, selectionOf } from '../../kit/builder.ts'
import { answerAsGraphql } from '../../kit/pace.ts'
import { ById } from '../../kit/shapes.ts'
import { IfUnchanged } from '../../kit/unchanged.ts'
import { argumentsOf, enumMadeOf, enumOf, filterOf, graphqlInput, readArguments } from '../../kit/zod-input.ts'
import { AnyCondition, type Condition, FilterOperator, type FilterOutcome, FilterUnit } from '../filters/shapes.ts'
import { explainConditionFor, explainSegment } from './explain.ts'
import { connectSegments, connectSegmentsByIds } from './lists.ts'
import { eventOf } from './members/log.ts'
import { listIssues, type SegmentIssue } from './references.ts'
import { createSegment, deleteSegment, getSegment, segmentColumns, updateSegment } from './segments.ts'
import {
  ConditionOfContact,
  type Explanation,
  SegmentChange,
  SegmentDraft,
  SegmentFilter,
  type Segment as SegmentShape,
  SegmentType,
} from './shapes.ts'
import { findSegmentUses } from './usage.ts'

const Type = enumOf('SegmentType', SegmentType, 'How a segment gets its members.', {
  DYNAMIC: 'It has the contacts that match its condition.',
  STATIC: 'It has the contacts that were added to it.',
})

/** What it costs to compare every contact of the project with a condition. */
export const scan = { cost: 100 }

/** A named group of contacts, as GraphQL shows it. */
export const Segment = builder.prismaNode('Segment', {
  description: 'A named group of contacts: those that match a condition, or those that were added.',
  id: { resolve: ({ id }) => id, description: 'Opaque; starts with `seg_`.' },
  nullable: true,
  findUnique: (id, { projectId }) => ({ projectId_id: { projectId, id } }),
  select: segmentColumns,
  fields: (t) => ({
    name: t.exposeString('name', { description: 'What people call it, 1 to 100 characters; its events are named after it.' }),
    description: t.exposeString('description', { nullable: true, description: 'What it is for, as people wrote it.' }),
    type: t.expose('type', { type: Type, description: 'How it gets its members.' }),
    condition: t.field({
      type: 'JSON',
      nullable: true,
      description: 'Which contacts are members, as a `ConditionInput` that can be sent again; null in a static segment.',
      resolve: ({ condition }, _args, ctx) => answerAsGraphql(ctx, AnyCondition, condition),
    }),
    trackMembership: t.exposeBoolean('trackMembership', {
      description:
        'Whether the members of a dynamic segment are computed every 5 minutes, and who enters and leaves is logged. Of a static segment who is added and removed is always logged.',
    }),
    memberCount: t.exposeInt('memberCount', {
      description: 'How many members it had when they were last counted; of a static segment how many it has.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When it last changed; counting its members is no change.',
    }),
    issues: t.field({
      type: [Issue],
      description:
        'What is wrong with its condition since it was stored, at most one per filter: references to segments that were deleted; and filters that ask for the absence of a field or an event that was deleted, so that they would match everybody: nobody enters or leaves the segment then, if it is tracked.',
      extensions: { maxItems: 100 },
      resolve: (segment, _args, ctx) => listIssues(ctx, stored(segment)),
    }),
    explanation: t.field({
      type: ExplanationOf,
      nullable: true,
      description:
        'Why a contact is a member at the moment or not. A static segment has one leaf: whether the contact was added. Fails with CONTACT_NOT_FOUND.',
      args: { contactId: t.arg.id({ required: true, description: 'Id of the contact.' }) },
      resolve: ({ id }, { contactId }, ctx) => explainSegment(ctx, { id, contactId }),
    }),
  }),
})

const Usage = builder.objectType('SegmentUsage', {
  description: 'What refers to a segment.',
  fields: (t) => ({
    canDelete: t.exposeBoolean('canDelete', {
      description:
        'Whether it can be deleted now; false while a campaign for it is scheduled or being sent, or an enabled workflow, or an execution under way, asks for it or names one of its events (SEGMENT_IN_USE).',
    }),
  }),
})

builder.prismaObjectField(Segment, 'usage', (t) =>
  t.field({
    type: Usage,
    description: 'What refers to it: look here before `deleteSegment`.',
    resolve: ({ id }, _args, ctx) => findSegmentUses(ctx, { id }),
  }),
)

const named = { id: true, name: true, slug: true } as const
builder.prismaObjectFields(Segment, (t) => ({
  entryEvent: t.string({
    description:
      'The event that is logged for each contact that enters, `segment.<slug>.entry`, such as `segment.vip-customers.entry` for "VIP Customers"; with `-2` and so on where another segment has that. It follows the name.',
    select: named,
    resolve: (segment) => eventOf(segment, 'entry'),
  }),
  exitEvent: t.string({
    description: 'The event that is logged for each contact that leaves, as `entryEvent`.',
    select: named,
    resolve: (segment) => eventOf(segment, 'exit'),
  }),
}))

builder.prismaObjectField(Segment, 'countedAt', (t) =>
  t.field({
    type: 'DateTime',
    nullable: true,
    description:
      'When `memberCount` was last counted; null of a static segment, whose count is always right, and where only an older version of this server has counted.',
    select: { countedAt: true },
    resolve: ({ countedAt }) => countedAt,
  }),
)

/** A segment as it was read: only conditions that were checked are stored, which the type of the column does not say. */
export function stored<Row extends { condition: unknown }>(row: Row): Row & { condition: Condition | null } {
  return row as Row & { condition: Condition | null }
}

const Issue = builder.objectRef<SegmentIssue>('SegmentIssue').implement({
  description: 'Something that is wrong with the condition of a segment.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'Where it is in the condition, such as `groups.0.filters.1`; empty for a single filter.' }),
    message: t.exposeString('message', { description: 'What is wrong, for people.' }),
  }),
})

const Outcome = builder.objectRef<FilterOutcome>('FilterOutcome').implement({
  description: 'What became of one filter of a condition.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'Where it is in the condition, such as `groups.0.filters.1`; empty for a single filter.' }),
    field: t.exposeString('field', { description: 'The field it asks.' }),
    operator: t.field({
      type: enumMadeOf(FilterOperator),
      description: 'What it does with the value of the field.',
      resolve: ({ operator }) => operator,
    }),
    value: t.expose('value', { type: 'JSON', nullable: true, description: 'What it compares with; null where it compares with nothing.' }),
    unit: t.field({
      type: enumMadeOf(FilterUnit),
      nullable: true,
      description: 'The unit of a span of time.',
      resolve: ({ unit }) => unit,
    }),
    actual: t.expose('actual', {
      type: 'JSON',
      nullable: true,
      description:
        'What the contact has: a value, when the event last happened, or whether it is a member; null when there is nothing. A text is cut after 1,000 characters and then ends with `…`; in place of a longer list or object stands `(longer than 1000 characters)`.',
    }),
    matches: t.exposeBoolean('matches', { description: 'Whether the filter matches the contact.' }),
  }),
})

const ExplanationOf = builder.objectRef<Explanation>('SegmentExplanation').implement({
  description: 'Why a contact is a member of a segment, or matches a condition, or not.',
  fields: (t) => ({
    matches: t.exposeBoolean('matches', { description: 'Whether the contact is a member, or matches, at the moment.' }),
    leaves: t.field({
      type: [Outcome],
      description: 'Each filter of the condition, in order, at most 100.',
      extensions: { maxItems: 100 },
      resolve: ({ leaves }) => leaves,
    }),
  }),
})

/** Segments, newest first. */
export const SegmentConnection = builder.connectionObject(
  { type: Segment, name: 'SegmentConnection', description: 'Segments, newest first.' },
  { name: 'SegmentEdge' },
)

const uses = {
  type: Segment,
  description: 'The segments whose own conditions ask it, newest first; not those that refer to one of these.',
} as const
const idsOf = (users: { id: string }[]): string[] => users.map(({ id }) => id)
builder.objectField('ContactFieldUsage', 'segments', (t) =>
  t.connection(
    {
      ...uses,
      resolve: async ({ usedInSegments }, args, ctx, info) =>
        connectSegmentsByIds(ctx, idsOf(usedInSegments), args, await selectionOf(ctx, info, 'Segment')),
    },
    SegmentConnection,
  ),
)
builder.objectField('SegmentUsage', 'segments', (t) =>
  t.connection(
    {
      type: Segment,
      description: 'The segments whose own conditions refer to it, newest first: once it is deleted, that part of them matches nobody.',
      resolve: async ({ usedInSegments }, args, ctx, info) =>
        connectSegmentsByIds(ctx, idsOf(usedInSegments), args, await selectionOf(ctx, info, 'Segment')),
    },
    SegmentConnection,
  ),
)
builder.objectField('EventUsage', 'segments', (t) =>
  t.connection(
    {
      ...uses,
      resolve: async ({ usedInSegments }, args, ctx, info) =>
        connectSegmentsByIds(ctx, idsOf(usedInSegments), args, await selectionOf(ctx, info, 'Segment')),
    },
    SegmentConnection,
  ),
)

const filter = filterOf('SegmentFilter', SegmentFilter, 'Which segments a list holds: all conditions apply.')

builder.queryFields((t) => ({
  segment: t.field({
    type: Segment,
    nullable: true,
    description: 'One segment; fails with RESOURCE_NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'Id of the segment.' }) },
    resolve: (_parent, args, ctx) => getSegment(ctx, args),
  }),
  segments: t.connection(
    {
      type: Segment,
      description: 'The segments of the project, newest first, at most 500.',
      args: filter.args(t),
      resolve: async (_parent, args, ctx, info) => connectSegments(ctx, filter.read(args), args, await selectionOf(ctx, info, 'Segment')),
    },
    SegmentConnection,
  ),
  conditionExplanation: t.field({
    extensions: { cost: 20 },
    type: ExplanationOf,
    description:
      'Why a contact matches a condition at the moment or not, before a segment has it. Fails with CONTACT_NOT_FOUND, and with VALIDATION_ERROR for a condition that is wrong or names segments that do not exist.',
    args: argumentsOf(t, ConditionOfContact),
    resolve: (_parent, args, ctx) => explainConditionFor(ctx, readArguments(ConditionOfContact, args)),
  }),
}))

const draft = graphqlInput('CreateSegmentInput', SegmentDraft)
const change = graphqlInput('UpdateSegmentInput', SegmentChange.extend(IfUnchanged.shape), {
  description: 'Only what is given changes; null empties the description.',
})
const deletion = graphqlInput('DeleteSegmentInput', ById)
interface Changed {
  segment: SegmentShape
}
const CreateSegmentPayload = payloadOf<Changed>('CreateSegmentPayload', (t) => ({
  segment: t.expose('segment', { type: Segment, description: 'The new segment.' }),
}))
const UpdateSegmentPayload = payloadOf<Changed>('UpdateSegmentPayload', (t) => ({
  segment: t.expose('segment', { type: Segment, description: 'The segment as it is now.' }),
}))
const DeleteSegmentPayload = payloadOf<{ id: string }>('DeleteSegmentPayload', (t) => ({
  deletedSegmentId: t.exposeID('id', { description: 'Id of the segment that was deleted.' }),
}))
builder.mutationFields((t) => ({
  createSegment: t.field({
    type: CreateSegmentPayload,
    description:
      'Creates a segment and counts its members. A condition is required for a dynamic segment and refused for a static one, as are references to segments that do not exist (VALIDATION_ERROR). Fails with LIMIT_REACHED when the project has 500, or their conditions would have more than 4 MB together.',
    args: draft.args(t),
    resolve: async (_parent, args, ctx) => ({ segment: await createSegment(ctx, draft.read(args)) }),
  }),
  updateSegment: t.field({
    type: UpdateSegmentPayload,
    description:
      'Changes a segment; its type cannot change. Fails with VALIDATION_ERROR also for a condition that leads back to the segment, or through others to a segment that was deleted while an enabled workflow or a campaign needs this one, with LIMIT_REACHED when the conditions of all segments would have more than 4 MB together, with RESOURCE_NOT_FOUND, with CONFLICT when the segment has changed since `ifUpdatedAt`, and with SEGMENT_IN_USE for another name, and for tracking that ends, while an enabled workflow, or an execution under way, names one of its events.',
    args: change.args(t),
    resolve: async (_parent, args, ctx) => ({ segment: await updateSegment(ctx, change.read(args)) }),
  }),
  deleteSegment: t.field({
    type: DeleteSegmentPayload,
    description:
      'Deletes a segment; its contacts stay, and nothing is logged for them. Fails with RESOURCE_NOT_FOUND, and with SEGMENT_IN_USE while a campaign for it is scheduled or being sent, or an enabled workflow, or an execution under way, asks for it or names one of its events.',
    args: deletion.args(t),
    resolve: async (_parent, args, ctx) => {
      const { id } = deletion.read(args)
      await deleteSegment(ctx, { id })
      return { id }
    },
  }),
}))
