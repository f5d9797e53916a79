import { route } from '../../kit/route.ts'
import { ById, Empty } from '../../kit/shapes.ts'
import { deleteProject, resetProject } from './resets.ts'
import { ResetResult } from './shapes.ts'

/** Emptying and deleting projects. */
export const routes = [
  route('POST', '/users/@me/projects/:id/reset', 'admin session', ById, ResetResult, resetProject, {
    summary: 'Empty the project',
    description:
      'Removes mails, events, contacts, templates, suppressions, counters and idempotency keys; keeps domains, keys, members, settings, pictures, caps and reputation. While it runs the project can be read but not changed. 200 when it is done within 5 s, otherwise 202 with the id of the job that goes on; the same call waits for the same job.',
    status: { of: (answer) => ('jobId' in answer ? 202 : 200), all: [200, 202] },
    whileSuspended: true,
    errors: ['PROJECT_DISABLED', 'FORBIDDEN'],
  }),
  route('DELETE', '/users/@me/projects/:id', 'admin session', ById, Empty, deleteProject, {
    summary: 'Delete the project',
    description:
      'With the answer nobody sees it any more and its keys have ended in every process; what is in it is removed in the background. Works while the project is suspended. Refused while it has a paid subscription.',
    status: 204,
    whileSuspended: true,
    errors: ['CONFLICT', 'FORBIDDEN'],
  }),
]
