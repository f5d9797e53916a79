import { builder, payloadOf, selectionOf } from '../../../kit/builder.ts'
import { countMayFail } from '../../../kit/field-nullability.ts'
import { filterOf, graphqlInput } from '../../../kit/zod-input.ts'
import { ContactFilter } from '../../contacts/shapes.ts'
import { Segment, SegmentConnection, scan, stored } from '../graphql.ts'
import { getSegment } from '../segments.ts'
import { type MembersAdded, MembersDraft, MembersRemoval } from '../shapes.ts'
import { connectSegmentContacts, connectSegmentsOfContact } from './list.ts'
import { addSegmentMembers, removeSegmentMembers } from './members.ts'

const filter = filterOf('ContactFilter', ContactFilter, 'Which of its contacts are meant: all conditions apply.')

builder.prismaObjectField('Segment', 'contacts', (t) =>
  t.connection(
    {
      type: 'Contact',
      nullable: true,
      description:
        'Its contacts at the moment, newest contact first. Of a dynamic segment every contact of the project is compared with the condition: reading the page, and counting for `totalCount`, may take 15 s each, then it fails with SERVICE_UNAVAILABLE. Fails as `Query.contacts` does for a filter whose segments do not exist.',
      extensions: scan,
      args: filter.args(t),
      resolve: async (segment, args, ctx, info) =>
        connectSegmentContacts(ctx, stored(segment), { ...args, filter: filter.read(args) }, await selectionOf(ctx, info, 'Contact')),
    },
    { name: 'SegmentContactConnection', description: 'The contacts of a segment, newest first.', extensions: { [countMayFail]: true } },
    { name: 'SegmentContactEdge' },
  ),
)

builder.prismaObjectField('Contact', 'segments', (t) =>
  t.connection(
    {
      type: Segment,
      description:
        'The static segments that it was added to and the tracked ones that it was a member of when they were last computed, newest segment first. Segments whose members are not tracked are left out: `Segment.explanation` says whether it is a member.',
      resolve: async (contact, args, ctx, info) => connectSegmentsOfContact(ctx, contact, args, await selectionOf(ctx, info, 'Segment')),
    },
    SegmentConnection,
  ),
)

const additions = graphqlInput('AddSegmentMembersInput', MembersDraft)
const removals = graphqlInput('RemoveSegmentMembersInput', MembersRemoval)

interface Changed {
  /** Of the segment. */
  id: string
}
const AddSegmentMembersPayload = payloadOf<Changed & MembersAdded>('AddSegmentMembersPayload', (t) => ({
  segment: t.field({
    type: Segment,
    description: 'The segment as it is now.',
    resolve: ({ id }, _args, ctx) => getSegment(ctx, { id }),
  }),
  added: t.exposeInt('added', { description: 'How many contacts became members, with those that were created.' }),
  created: t.exposeInt('created', { description: 'How many of those that became members were created by this call.' }),
  alreadyMembers: t.exposeInt('alreadyMembers', { description: 'How many were members before, or were added by another call meanwhile.' }),
  notFound: t.exposeStringList('notFound', { description: 'The addresses that have no contact, as they were spelled.' }),
}))
const RemoveSegmentMembersPayload = payloadOf<Changed & { removed: number }>('RemoveSegmentMembersPayload', (t) => ({
  segment: t.field({
    type: Segment,
    description: 'The segment as it is now.',
    resolve: ({ id }, _args, ctx) => getSegment(ctx, { id }),
  }),
  removed: t.exposeInt('removed', { description: 'How many contacts were members.' }),
}))
builder.mutationFields((t) => ({
  addSegmentMembers: t.field({
    type: AddSegmentMembersPayload,
    description:
      'Adds contacts to a static segment by their addresses; who was not a member before is logged as `segment.<name>.entry`. With more than 100 addresses it waits for other such calls of the account. Fails with RESOURCE_NOT_FOUND, with CONFLICT for a dynamic segment, and with SERVICE_UNAVAILABLE when its turn has not come after 15 s.',
    extensions: { waits: true },
    args: additions.args(t),
    resolve: async (_parent, args, ctx) => {
      const members = additions.read(args)
      return { id: members.id, ...(await addSegmentMembers(ctx, members)) }
    },
  }),
  removeSegmentMembers: t.field({
    type: RemoveSegmentMembersPayload,
    description:
      'Removes contacts from a static segment by their addresses; who was a member is logged as `segment.<name>.exit`. Waits and fails as `addSegmentMembers` does.',
    extensions: { waits: true },
    args: removals.args(t),
    resolve: async (_parent, args, ctx) => {
      const members = removals.read(args)
      return { id: members.id, ...(await removeSegmentMembers(ctx, members)) }
    },
  }),
}))
