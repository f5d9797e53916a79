import { route } from '../../kit/route.ts'
import { ById, Empty, Nothing } from '../../kit/shapes.ts'
import { getInvitation, joinProject, listReceivedInvitations } from './members/acceptance.ts'
import { inviteMember, revokeInvitation } from './members/invitations.ts'
import { listMembers, removeMember, updateMember } from './members/members.ts'
import {
  ByInvitation,
  ByInvitationToken,
  ByMember,
  InvitationView,
  JoinedProject,
  Member,
  MemberChange,
  MemberDraft,
  Members,
  ReceivedInvitations,
  SentInvitation,
} from './members/shapes.ts'
import { createProject, getProject, listProjects, regenerateKeys, rotateWebhookSecret, updateProject } from './projects.ts'
import { getSetupState } from './setup.ts'
import { Project, ProjectChange, ProjectDraft, Projects, SetupState } from './shapes.ts'

/** The endpoints of projects, their keys, members and invitations. */
export const routes = [
  route('GET', '/users/@me/projects', 'user', Nothing, Projects, listProjects, {
    summary: 'List the projects of the signed-in user',
    description: 'Newest first. The secret key and the secret of webhooks are included where the user is admin or owner.',
  }),
  route('POST', '/users/@me/projects', 'user', ProjectDraft, Project, createProject, {
    summary: 'Create a project',
    description:
      'The signed-in user becomes its owner. The response contains both API keys. A user can own at most 20 projects, unless MAX_PROJECTS_PER_USER says otherwise.',
    status: 201,
    errors: ['LIMIT_REACHED'],
  }),
  route('GET', '/users/@me/projects/:id', 'secret', ById, Project, getProject, { summary: 'Get a project' }),
  route('PATCH', '/users/@me/projects/:id', 'admin', ProjectChange, Project, updateProject, {
    summary: 'Update the project',
    description: 'Changes name, tracking, language and UTM parameters. Fields that are left out stay as they are; null removes `utm`.',
  }),
  route('POST', '/users/@me/projects/:id/regenerate-keys', 'admin', ById, Project, regenerateKeys, {
    summary: 'Replace both API keys',
    description:
      'Both keys are replaced together. The old ones stop working at once, in every process and on open sockets. The response contains the new keys.',
  }),
  route('POST', '/users/@me/projects/:id/rotate-webhook-secret', 'admin', ById, Project, rotateWebhookSecret, {
    summary: 'Replace the secret that signs webhooks',
    description:
      'The response contains the new `webhookSecret`. For 24 hours webhooks carry a signature with the old one as well, so that receivers have time to take the new one; of secrets that are replaced within one day, the newest four.',
  }),
  route('GET', '/projects/:id/setup-state', 'secret', ById, SetupState, getSetupState, { summary: 'Get the setup state of the project' }),
  route('GET', '/projects/:id/members', 'secret', ById, Members, listMembers, {
    summary: 'List the members of the project',
    description: 'Oldest first. `invitations` lists the pending invitations, newest first.',
  }),
  route('POST', '/projects/:id/members', 'admin session', MemberDraft, SentInvitation, inviteMember, {
    summary: 'Invite a person to the project',
    description:
      'The address receives an email with a link that is valid for 7 days; whoever is signed in with that verified address may also accept with `POST /users/@me/invitations/:id/accept`. Nobody becomes a member without accepting, and the response is the same whether the address has an account or not. Inviting an address again renews its invitation. A recipient gets at most one email per project and day and five a day in all; an inviter and a project may invite 50 a day. Only owners may invite owners.',
    status: 201,
    errors: ['CONFLICT', 'FORBIDDEN', 'RATE_LIMIT_EXCEEDED'],
  }),
  route('PATCH', '/projects/:id/members/:userId', 'admin session', MemberChange, Member, updateMember, {
    summary: 'Change the role of a member',
    description: 'The last owner cannot be changed. Only owners may change owners or make others owners.',
    errors: ['FORBIDDEN'],
  }),
  route('DELETE', '/projects/:id/members/:userId', 'admin session', ByMember, Empty, removeMember, {
    summary: 'Remove a member, or leave the project',
    description:
      'Members may remove themselves. The last owner cannot be removed, and only owners may remove other owners. Access to the project ends at once.',
    status: 204,
    oneself: 'userId',
    errors: ['FORBIDDEN'],
  }),
  route('GET', '/users/@me/invitations', 'user', Nothing, ReceivedInvitations, listReceivedInvitations, {
    summary: 'List the invitations of the user who is signed in',
    description: 'Newest first, at most 100; none before the address of the account is verified.',
  }),
  route('POST', '/users/@me/invitations/:id/accept', 'user', ById, JoinedProject, joinProject, {
    summary: 'Accept an invitation as the user who is signed in',
    description: 'The invitation must have been sent to the address of the account, which must be verified.',
    checks: 'id',
    errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
  }),
  route('GET', '/auth/invitations/:token', 'none', ByInvitationToken, InvitationView, getInvitation, {
    summary: 'Get an invitation by its token',
    description: 'For anyone who has its link. No key or session is needed.',
    checks: 'token',
    wrap: true,
  }),
  route('DELETE', '/projects/:id/invitations/:invitationId', 'admin session', ByInvitation, Empty, revokeInvitation, {
    summary: 'Revoke an invitation',
    status: 204,
    errors: ['FORBIDDEN'],
  }),
]
