import { builder, payloadOf, selectionOf } from '../../kit/builder.ts'
import { ById } from '../../kit/shapes.ts'
import { enumOf, filterOf, graphqlInput } from '../../kit/zod-input.ts'
import { cancelJob, connectJobs, findJobWork, getJob } from './job.ts'
import type { JobRow } from './shapes.ts'
import { JobFilter, JobKind, JobState } from './shapes.ts'
import { watchJob } from './watch.ts'

const Kind = enumOf('JobKind', JobKind, 'What a job does.', {
  import: 'Imports contacts from a CSV file; see `importResult`.',
  bulk: 'Subscribes, unsubscribes or deletes many contacts; see `bulkResult`.',
})

const State = enumOf('JobState', JobState, 'How far a job is.', {
  waiting: 'No worker has begun yet.',
  active: 'A worker is on it, or goes on with it when the project is no longer suspended.',
  completed: 'Everything is done. Final.',
  failed: 'It stopped, and `failedReason` says why; what was done before stays. Final.',
  cancelled: 'It was cancelled; what was done before stays. Final.',
})

/** A job, as GraphQL shows it; the modules of its kinds add their results. */
export const Job = builder.prismaNode('Job', {
  description:
    'Work that goes on in the background, such as an import; while the project is suspended it pauses. Ended jobs are kept for 7 days, the newest 100 of a project.',
  id: { resolve: ({ id }) => id, description: 'Opaque; starts with `job_`.' },
  nullable: true,
  findUnique: (id, { projectId }) => ({ projectId_id: { projectId, id } }),
  select: { id: true, kind: true, state: true, progress: true, result: true, failedReason: true, createdAt: true, finishedAt: true },
  fields: (t) => ({
    kind: t.expose('kind', { type: Kind, description: 'What it does.' }),
    state: t.expose('state', { type: State, description: 'How far it is.' }),
    progress: t.exposeInt('progress', { description: 'Percent of the work that is done, 0 to 100.' }),
    done: t.float({
      description: 'How many contacts or rows it has dealt with so far.',
      resolve: async ({ id }, _args, ctx) => (await findJobWork(ctx, { id }, {}))?.done ?? 0,
    }),
    total: t.float({
      nullable: true,
      description:
        'About how many contacts or rows there are. Null where that is not known: before a bulk operation begins, of one that was stopped, and of an import until it is completed, whose `progress` counts bytes.',
      resolve: async ({ id }, _args, ctx) => (await findJobWork(ctx, { id }, {}))?.total ?? null,
    }),
    failedReason: t.exposeString('failedReason', { nullable: true, description: 'Why it failed, in a sentence; null unless it has.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was queued.' }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true, description: 'When it ended; null until then.' }),
  }),
})

const JobConnection = builder.connectionObject(
  { type: Job, name: 'JobConnection', description: 'Jobs, newest first.' },
  { name: 'JobEdge' },
)

const filter = filterOf('JobFilter', JobFilter, 'Which jobs a list holds: all conditions apply.')

builder.queryFields((t) => ({
  job: t.field({
    type: Job,
    nullable: true,
    description: 'One job; fails with RESOURCE_NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'Id of the job.' }) },
    resolve: (_parent, args, ctx) => getJob(ctx, args),
  }),
  jobs: t.connection(
    {
      type: Job,
      description:
        'The jobs of the project, newest first: at most 20 that wait or run, and the newest 100 of those that ended in the last 7 days.',
      args: filter.args(t),
      resolve: async (_parent, args, ctx, info) => connectJobs(ctx, filter.read(args), args, await selectionOf(ctx, info, 'Job')),
    },
    JobConnection,
  ),
}))

const cancellation = graphqlInput('CancelJobInput', ById)

const CancelJobPayload = payloadOf<{ job: JobRow }>('CancelJobPayload', (t) => ({
  job: t.expose('job', { type: Job, description: 'The job as it is now.' }),
}))

builder.mutationField('cancelJob', (t) =>
  t.field({
    type: CancelJobPayload,
    description:
      'Cancels a job: nothing more is done after the answer, and what was done stays. Also works while the project is suspended. Fails with RESOURCE_NOT_FOUND, and with CONFLICT when the job has ended.',
    args: cancellation.args(t),
    access: { who: 'secret', whileSuspended: true },
    resolve: async (_parent, args, ctx) => ({ job: await cancelJob(ctx, cancellation.read(args)) }),
  }),
)

builder.subscriptionField('jobProgress', (t) =>
  t.field({
    type: Job,
    description:
      'A job: first as it is, then whenever it has changed. The stream ends when the job has: its last item is the final state. A slow reader is sent the newest state only. Fails with RESOURCE_NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'Id of the job.' }) },
    subscribe: (_parent, args, ctx) => watchJob(ctx, args),
    resolve: (job) => job,
  }),
)
