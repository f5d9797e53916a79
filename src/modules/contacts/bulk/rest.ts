import { route } from '../../../kit/route.ts'
import { ByJobId, JobQueued } from '../../jobs/shapes.ts'
import { bulkDeleteContacts, bulkSubscribeContacts, bulkUnsubscribeContacts, cancelBulkJob, getBulkJob } from './bulk.ts'
import { BulkBody, BulkJob } from './shapes.ts'

const description =
  'Takes up to 1,000 ids, or a `filter`: then all contacts that exist now and match when they are reached, without `excludeIds`. A part of the filter that is not known is refused. When a segment of the filter, one that it refers to, or a field or an event that they asked when it was accepted, is deleted before the job ends, the job fails, and what was done stays. Ids that are not contacts of the project are errors of the result.'

/** The endpoints that change many contacts. */
export const routes = [
  route('POST', '/contacts/bulk-subscribe', 'secret', BulkBody, JobQueued, bulkSubscribeContacts, {
    summary: 'Subscribe many contacts',
    description,
    status: 202,
    errors: ['SEGMENT_NOT_FOUND', 'LIMIT_REACHED'],
  }),
  route('POST', '/contacts/bulk-unsubscribe', 'secret', BulkBody, JobQueued, bulkUnsubscribeContacts, {
    summary: 'Unsubscribe many contacts',
    description,
    status: 202,
    errors: ['SEGMENT_NOT_FOUND', 'LIMIT_REACHED'],
  }),
  route('POST', '/contacts/bulk-delete', 'secret', BulkBody, JobQueued, bulkDeleteContacts, {
    summary: 'Delete many contacts with their emails and events',
    description,
    status: 202,
    errors: ['SEGMENT_NOT_FOUND', 'LIMIT_REACHED'],
  }),
  route('GET', '/contacts/bulk/:jobId', 'secret', ByJobId, BulkJob, getBulkJob, {
    summary: 'Get a bulk operation',
    errors: ['RESOURCE_NOT_FOUND'],
  }),
  route('DELETE', '/contacts/bulk/:jobId', 'secret', ByJobId, BulkJob, cancelBulkJob, {
    summary: 'Cancel a bulk operation',
    description: 'Nothing more is changed after the answer; what was done stays. Also works while the project is suspended.',
    whileSuspended: true,
    errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
  }),
]
