import { route } from '../../kit/route.ts'
import { ById } from '../../kit/shapes.ts'
import { regenerateKeys, updateProject } from './projects.ts'
import { Project, ProjectChange } from './shapes.ts'

/** Settings and keys of the project (interface.md, Users, projects, members). */
export const routes = [
  route('PATCH', '/users/@me/projects/:id', 'admin', ProjectChange, Project, updateProject, {
    summary: 'Change name, tracking or language of the project',
    description: 'Only what is sent changes. The project must be the one of the key.',
  }),
  route('POST', '/users/@me/projects/:id/regenerate-keys', 'admin', ById, Project, regenerateKeys, {
    summary: 'Replace both API keys',
    description:
      'Both keys change together and the old ones stop working at once, in every process and on live sockets. The answer carries the new ones.',
  }),
]
