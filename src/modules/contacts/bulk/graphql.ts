import { builder, payloadOf } from '../../../kit/builder.ts'
import { enumOf, graphqlInput } from '../../../kit/zod-input.ts'
import { findJob, findJobWork } from '../../jobs/job.ts'
import { type JobQueued, resultOf } from '../../jobs/shapes.ts'
import { bulkDeleteContacts, bulkSubscribeContacts, bulkUnsubscribeContacts } from './bulk.ts'
import { BulkOperation, BulkResult, BulkSelection } from './shapes.ts'

const Operation = enumOf('BulkOperation', BulkOperation, 'What is done with many contacts.', {
  subscribe: 'They are subscribed to marketing email.',
  unsubscribe: 'They are unsubscribed from marketing email: they have opted out, also those that were never subscribed.',
  delete: 'They are deleted with their emails and events.',
})

const BulkError = builder.objectRef<BulkResult['errors'][number]>('BulkError').implement({
  description: 'An id with which nothing was done.',
  fields: (t) => ({
    contactId: t.exposeID('contactId', { description: 'The id as it was given.' }),
    email: t.exposeString('email', { nullable: true, description: 'The address of the contact; null where there is none.' }),
    error: t.exposeString('error', { description: 'Why nothing was done, in a sentence.' }),
  }),
})

const Result = builder.objectRef<BulkResult>('BulkResult').implement({
  description: 'What a bulk operation has done.',
  fields: (t) => ({
    operation: t.expose('operation', { type: Operation, description: 'What was done.' }),
    totalRequested: t.exposeInt('totalRequested', { description: 'Contacts that were named, or that matched.' }),
    successCount: t.exposeInt('successCount', { description: 'Contacts that were changed or deleted.' }),
    unchangedCount: t.exposeInt('unchangedCount', { description: 'Contacts that were so already.' }),
    failureCount: t.exposeInt('failureCount', { description: 'Ids without a contact.' }),
    errors: t.expose('errors', { type: [BulkError], extensions: { maxItems: 100 }, description: 'The first 100 ids without a contact.' }),
    errorsOmitted: t.exposeInt('errorsOmitted', { description: 'How many more ids had an error.' }),
  }),
})

builder.prismaObjectField('Job', 'operation', (t) =>
  t.field({
    type: Operation,
    nullable: true,
    description: 'What a bulk operation does; null for other jobs, and for one that was stopped before it began.',
    resolve: async ({ id }, _args, ctx) => BulkOperation.safeParse((await findJobWork(ctx, { id }, {}))?.operation).data ?? null,
  }),
)

builder.prismaObjectField('Job', 'bulkResult', (t) =>
  t.field({
    type: Result,
    nullable: true,
    description: 'What a bulk operation has done; null until it has ended, and for other jobs.',
    select: { kind: true, finishedAt: true, result: true },
    resolve: (job) => resultOf(job, 'bulk', BulkResult),
  }),
)

const names = { names: { excludeIds: 'excludedContactIds' } }
const subscription = graphqlInput('BulkSubscribeContactsInput', BulkSelection, names)
const unsubscription = graphqlInput('BulkUnsubscribeContactsInput', BulkSelection, names)
const deletion = graphqlInput('BulkDeleteContactsInput', BulkSelection, names)

const payload = (name: `${string}Payload`) =>
  payloadOf<JobQueued>(name, (t) => ({
    job: t.prismaField({
      type: 'Job',
      nullable: true,
      description: 'The job that does it, to be watched with `jobProgress`; null when it was removed since.',
      resolve: (query, { jobId }, _args, ctx) => findJob(ctx, { id: jobId }, query),
    }),
    jobId: t.exposeID('jobId', { description: 'Id of the job.' }),
  }))

const selected =
  'The contacts are given by `contactIds` (at most 1,000), or by `filter`: then all that exist now and match when they are reached, without `excludedContactIds`. When a segment of the filter, one that it refers to, or a field or an event that they asked when it was accepted, is deleted before the job ends, the job fails, and what was done stays. Fails with SEGMENT_NOT_FOUND, and with LIMIT_REACHED while 20 jobs of the project wait or run.'

builder.mutationFields((t) => ({
  bulkSubscribeContacts: t.field({
    type: payload('BulkSubscribeContactsPayload'),
    description: `Subscribes many contacts in the background. ${selected}`,
    args: subscription.args(t),
    resolve: (_parent, args, ctx) => bulkSubscribeContacts(ctx, subscription.read(args)),
  }),
  bulkUnsubscribeContacts: t.field({
    type: payload('BulkUnsubscribeContactsPayload'),
    description: `Unsubscribes many contacts in the background. ${selected}`,
    args: unsubscription.args(t),
    resolve: (_parent, args, ctx) => bulkUnsubscribeContacts(ctx, unsubscription.read(args)),
  }),
  bulkDeleteContacts: t.field({
    type: payload('BulkDeleteContactsPayload'),
    description: `Deletes many contacts in the background, with their emails and events. ${selected}`,
    args: deletion.args(t),
    resolve: (_parent, args, ctx) => bulkDeleteContacts(ctx, deletion.read(args)),
  }),
}))
