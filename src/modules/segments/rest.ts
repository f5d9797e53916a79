import { route } from '../../kit/route.ts'
import { ById, Empty, Nothing } from '../../kit/shapes.ts'
import { refreshSegment } from './count.ts'
import { explainSegment } from './explain.ts'
import { listSegments } from './lists.ts'
import { listSegmentContacts } from './members/list.ts'
import { addSegmentMembers, removeSegmentMembers } from './members/members.ts'
import { createSegment, deleteSegment, getSegment, updateSegment } from './segments.ts'
import {
  ByContact,
  Computed,
  Explanation,
  MembersAdded,
  MembersDraft,
  MembersPage,
  MembersRemoval,
  MembersRemoved,
  MembersSearch,
  Refreshed,
  Segment,
  SegmentChange,
  SegmentDraft,
  Segments,
} from './shapes.ts'
import { computeSegment } from './tracking/compute.ts'

/** The endpoints of segments. */
export const routes = [
  route('GET', '/segments', 'secret', Nothing, Segments, listSegments, { summary: 'List segments, newest first' }),
  route('POST', '/segments', 'secret', SegmentDraft, Segment, createSegment, {
    summary: 'Create a segment',
    description: 'Its members are counted at once. At most 500 per project, with at most 4 MB of conditions together, as JSON.',
    status: 201,
    errors: ['LIMIT_REACHED'],
  }),
  route('GET', '/segments/:id', 'secret', ById, Segment, getSegment, { summary: 'Get a segment', errors: ['RESOURCE_NOT_FOUND'] }),
  route('PATCH', '/segments/:id', 'secret', SegmentChange, Segment, updateSegment, {
    summary: 'Change a segment',
    description:
      'Fields that are left out stay as they are; null clears `description`. Another condition is counted at once. Its events are named after its name: while an enabled workflow names one of them, neither another name nor the end of its tracking is taken.',
    errors: ['RESOURCE_NOT_FOUND', 'LIMIT_REACHED', 'SEGMENT_IN_USE'],
  }),
  route('DELETE', '/segments/:id', 'secret', ById, Empty, deleteSegment, {
    summary: 'Delete a segment',
    description: 'Its contacts stay, and nothing is logged for them. In the conditions of other segments it has no members from then on.',
    status: 204,
    errors: ['RESOURCE_NOT_FOUND', 'SEGMENT_IN_USE'],
  }),
  route('GET', '/segments/:id/contacts', 'secret', MembersSearch, MembersPage, listSegmentContacts, {
    summary: 'List the contacts of a segment',
    description:
      'Of a dynamic segment those that match at the moment, newest contact first; of a static one its members, newest member first. `total` is exact up to 100,000, above that at most 60 s old. A page whose contacts have more than 4 MB of data together is refused: ask for a smaller one.',
    errors: ['RESOURCE_NOT_FOUND', 'VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  }),
  route('POST', '/segments/:id/members', 'secret', MembersDraft, MembersAdded, addSegmentMembers, {
    summary: 'Add contacts to a static segment',
    description: 'Who was not a member before is logged as `segment.<name>.entry`.',
    errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
  }),
  route('DELETE', '/segments/:id/members', 'secret', MembersRemoval, MembersRemoved, removeSegmentMembers, {
    summary: 'Remove contacts from a static segment',
    description: 'Takes a JSON body. Who was a member is logged as `segment.<name>.exit`.',
    readsBody: true,
    errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
  }),
  route('POST', '/segments/:id/compute', 'secret', ById, Computed, computeSegment, {
    summary: 'Compute the members of a tracked segment',
    description:
      'Logs who entered as `segment.<name>.entry` and who left as `segment.<name>.exit`. Workers do the same every 5 minutes. Where the condition leads to a segment that was deleted, the members stay as they are.',
    errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
  }),
  route('POST', '/segments/:id/refresh', 'secret', ById, Refreshed, refreshSegment, {
    summary: 'Count the members of a segment again',
    description: 'Logs nothing and changes no membership.',
    errors: ['RESOURCE_NOT_FOUND'],
  }),
  route('GET', '/segments/:id/contacts/:contactId/explanation', 'secret', ByContact, Explanation, explainSegment, {
    summary: 'Explain why a contact is in a segment or not',
    errors: ['RESOURCE_NOT_FOUND', 'CONTACT_NOT_FOUND', 'VALIDATION_ERROR'],
  }),
]
