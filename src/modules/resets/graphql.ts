import { builder } from '../../kit/builder.ts'
import { ById } from '../../kit/shapes.ts'
import { inputOf } from '../../kit/zod-input.ts'
import { deleteProject, resetProject } from './resets.ts'
import type { ResetResult as ResultShape } from './shapes.ts'

const ResetResult = builder.objectRef<ResultShape>('ResetResult').implement({
  description: 'What came of a reset.',
  fields: (t) => ({
    done: t.boolean({ description: 'Whether the project is empty now.', resolve: (result) => 'success' in result }),
    message: t.exposeString('message', { description: 'The same in a sentence.' }),
    jobId: t.id({
      nullable: true,
      description: 'The job that goes on; null when it is done. The same call waits for the same job.',
      resolve: (result) => ('jobId' in result ? result.jobId : null),
    }),
  }),
})

const which = inputOf('ProjectInput', ById)

builder.mutationFields((t) => ({
  resetProject: t.field({
    type: ResetResult,
    description:
      'Empties a project: mails, events, contacts, templates, suppressions, counters and idempotency keys go; domains, keys, members, settings, pictures, caps and reputation stay. While it runs the project can be read but not changed. Answers when it is done, or after 5 s with the job that goes on. Needs a signed-in admin or owner (FORBIDDEN); fails with RESOURCE_NOT_FOUND, and PROJECT_DISABLED for a suspended project.',
    args: which.args(t),
    access: { who: 'admin session', whileSuspended: true, project: (_parent, args) => which.read(args).id },
    resolve: (_parent, args, ctx) => resetProject(ctx, which.read(args)),
  }),
  deleteProject: t.field({
    type: 'ID',
    description:
      'Deletes a project: with the answer nobody sees it any more and its keys have ended in every process; what is in it is removed in the background. Also while it is suspended. Answers its id. Needs a signed-in admin or owner (FORBIDDEN); fails with RESOURCE_NOT_FOUND, and CONFLICT while it has a paid subscription.',
    args: which.args(t),
    access: { who: 'admin session', whileSuspended: true, project: (_parent, args) => which.read(args).id },
    resolve: (_parent, args, ctx) => deleteProject(ctx, which.read(args)).then(() => which.read(args).id),
  }),
}))
