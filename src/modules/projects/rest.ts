import { route } from '../../kit/route.ts'
import { ById, Empty, Nothing } from '../../kit/shapes.ts'
import { getInvitation, revokeInvitation } from './members/invitations.ts'
import { addMember, listMembers, removeMember, updateMember } from './members/members.ts'
import {
  AddedMember,
  ByInvitation,
  ByInvitationToken,
  ByMember,
  InvitationView,
  Member,
  MemberChange,
  MemberDraft,
  Members,
} from './members/shapes.ts'
import { createProject, getProject, listProjects, regenerateKeys, updateProject } from './projects.ts'
import { getSetupState } from './setup.ts'
import { Project, ProjectChange, ProjectDraft, Projects, SetupState } from './shapes.ts'

/** Projects and who works in them. */
export const routes = [
  route('GET', '/users/@me/projects', 'user', Nothing, Projects, listProjects, {
    summary: 'List the projects of who is signed in',
    description: 'Newest first. The secret key is there where they are admin or owner.',
  }),
  route('POST', '/users/@me/projects', 'user', ProjectDraft, Project, createProject, {
    summary: 'Create a project',
    description: 'Who creates it owns it. The answer carries both API keys.',
    status: 201,
  }),
  route('GET', '/users/@me/projects/:id', 'secret', ById, Project, getProject, { summary: 'Get a project' }),
  route('PATCH', '/users/@me/projects/:id', 'admin', ProjectChange, Project, updateProject, {
    summary: 'Change name, tracking or language of the project',
    description: 'Only what is sent changes.',
  }),
  route('POST', '/users/@me/projects/:id/regenerate-keys', 'admin', ById, Project, regenerateKeys, {
    summary: 'Replace both API keys',
    description:
      'Both keys change together and the old ones stop working at once, in every process and on live sockets. The answer carries the new ones.',
  }),
  route('GET', '/projects/:id/setup-state', 'secret', ById, SetupState, getSetupState, { summary: 'How far the project has come' }),
  route('GET', '/projects/:id/members', 'secret', ById, Members, listMembers, {
    summary: 'List the members of the project',
    description: 'Oldest first; who is invited and has not come yet stands in `invitations`.',
  }),
  route('POST', '/projects/:id/members', 'admin session', MemberDraft, AddedMember, addMember, {
    summary: 'Add somebody to the project, or invite them',
    description:
      'An address with an account is a member at once; any other gets a mail with a link that holds for 7 days. Only an owner makes owners.',
    status: 201,
    errors: ['CONFLICT', 'FORBIDDEN'],
  }),
  route('PATCH', '/projects/:id/members/:userId', 'admin session', MemberChange, Member, updateMember, {
    summary: 'Give a member another role',
    description: 'The last owner stays one; only an owner changes owners.',
    errors: ['FORBIDDEN'],
  }),
  route('DELETE', '/projects/:id/members/:userId', 'admin session', ByMember, Empty, removeMember, {
    summary: 'Remove a member, or leave the project',
    description: 'Everybody may remove themselves. The last owner stays; only an owner removes owners. What they could do ends at once.',
    status: 204,
    oneself: 'userId',
    errors: ['FORBIDDEN'],
  }),
  route('GET', '/auth/invitations/:token', 'none', ByInvitationToken, InvitationView, getInvitation, {
    summary: 'What an invitation is to',
    description: 'For who holds its link.',
    wrap: true,
  }),
  route('DELETE', '/projects/:id/invitations/:invitationId', 'admin session', ByInvitation, Empty, revokeInvitation, {
    summary: 'Take an invitation back',
    status: 204,
    errors: ['FORBIDDEN'],
  }),
]
