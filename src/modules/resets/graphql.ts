import { builder, payloadOf } from '../../kit/builder.ts'
import { ById } from '../../kit/shapes.ts'
import { graphqlInput } from '../../kit/zod-input.ts'
import { deleteProject, resetProject } from './resets.ts'
import type { ResetResult } from './shapes.ts'

const reset = graphqlInput('ResetProjectInput', ById)
const deletion = graphqlInput('DeleteProjectInput', ById)

const ResetProjectPayload = payloadOf<ResetResult>('ResetProjectPayload', (t) => ({
  done: t.boolean({ description: 'Whether the project is empty now.', resolve: (result) => 'success' in result }),
  message: t.exposeString('message', { description: 'The same in a sentence.' }),
  resetId: t.id({
    nullable: true,
    description:
      'Id of the reset that is still running, for support; null when it is done. It is not one of `jobs`: repeating the call waits for the same reset.',
    resolve: (result) => ('jobId' in result ? result.jobId : null),
  }),
}))
const DeleteProjectPayload = payloadOf<{ id: string }>('DeleteProjectPayload', (t) => ({
  deletedProjectId: t.exposeID('id', { description: 'Id of the project that was deleted.' }),
}))

builder.mutationFields((t) => ({
  resetProject: t.field({
    extensions: { cost: 100, waits: true, endsRights: true },
    type: ResetProjectPayload,
    description:
      'Empties a project: emails, events, contacts, templates, campaigns, segments, workflows, suppressions, counters and idempotency keys are removed; domains, keys, members, settings, pictures, caps and reputation stay. For 30 days after an email has left, its id and a keyed hash of its address stay: a bounce or complaint that comes later counts, and suppresses the address again. While it runs the project can be read but not changed. Answers when it is done, or after 5 s with the reset that is still running. Needs a signed-in admin or owner (FORBIDDEN); fails with RESOURCE_NOT_FOUND, and with PROJECT_DISABLED for a suspended project.',
    args: reset.args(t),
    access: { who: 'admin session', whileSuspended: true, project: (_parent, args) => reset.read(args).id },
    resolve: (_parent, args, ctx) => resetProject(ctx, reset.read(args)),
  }),
  deleteProject: t.field({
    extensions: { waits: true, endsRights: true },
    type: DeleteProjectPayload,
    description:
      'Deletes a project: when it answers nobody can see the project any more and its keys have stopped working in every process; its contents are removed in the background. Also works while the project is suspended. Needs a signed-in admin or owner (FORBIDDEN); fails with RESOURCE_NOT_FOUND, with CONFLICT while the project has a paid subscription or sends the emails of the installation, and with SERVICE_UNAVAILABLE while the payment provider, which is asked, does not respond.',
    args: deletion.args(t),
    access: { who: 'admin session', whileSuspended: true, project: (_parent, args) => deletion.read(args).id },
    resolve: async (_parent, args, ctx) => {
      const { id } = deletion.read(args)
      await deleteProject(ctx, { id })
      return { id }
    },
  }),
}))
