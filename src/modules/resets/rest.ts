import { route } from '../../kit/route.ts'
import { ById, Empty } from '../../kit/shapes.ts'
import { deleteProject, resetProject } from './resets.ts'
import { ResetResult } from './shapes.ts'

/** The endpoints that empty and delete projects. */
export const routes = [
  route('POST', '/users/@me/projects/:id/reset', 'admin session', ById, ResetResult, resetProject, {
    summary: 'Empty the project',
    description:
      'Removes emails, events, contacts, templates, campaigns, segments, workflows, suppressions, counters and idempotency keys; keeps domains, keys, members, settings, pictures, caps and reputation. For 30 days after an email has left, its id and a keyed hash of its address stay: a bounce or complaint that comes later counts, suppresses the address again, and unsubscribes whoever has it by then. Meanwhile the project can be read but not changed. Responds with 200 when it is done within 5 seconds, otherwise with 202 and the id of the job that continues. Repeating the call waits for the same job.',
    status: { of: (answer) => ('jobId' in answer ? 202 : 200), all: [200, 202] },
    whileSuspended: true,
    errors: ['FORBIDDEN', 'PROJECT_DISABLED'],
  }),
  route('DELETE', '/users/@me/projects/:id', 'admin session', ById, Empty, deleteProject, {
    summary: 'Delete the project',
    description:
      'The project and its keys stop working at once; its data is removed in the background. Works while the project is suspended. Refused while it has a paid subscription or sends the emails of the installation.',
    status: 204,
    whileSuspended: true,
    errors: ['CONFLICT', 'FORBIDDEN'],
  }),
]
