import { builder, payloadOf } from '../../../kit/builder.ts'
import { read } from '../../../kit/problems.ts'
import { ById } from '../../../kit/shapes.ts'
import { enumOf, graphqlInput } from '../../../kit/zod-input.ts'
import { getProject } from '../projects.ts'
import { type Project, Role as RoleShape } from '../shapes.ts'
import { findOpenInvitation, joinProject, listReceivedInvitations } from './acceptance.ts'
import { inviteMember, listInvitations, revokeInvitation } from './invitations.ts'
import { connectMembers, removeMember, updateMember } from './members.ts'
import {
  ByInvitationToken,
  ByMember,
  ByReceivedInvitation,
  type Invitation as InvitationShape,
  type InvitationView,
  type JoinedProject,
  MemberChange,
  MemberDraft,
  type Member as MemberShape,
  type ReceivedInvitation as ReceivedShape,
} from './shapes.ts'

const Role = enumOf('Role', RoleShape, 'What a member of a project may do.', {
  OWNER: 'May do everything.',
  ADMIN: 'May do everything except add, change or remove owners.',
  MEMBER: 'May do everything except settings, keys, members, domains and billing.',
})

const Member = builder.objectRef<MemberShape>('Member').implement({
  description: 'A person who works in a project.',
  fields: (t) => ({
    userId: t.exposeID('userId', { description: 'Id of their account; opaque, starts with `usr_`.' }),
    email: t.exposeString('email', { description: 'The address they sign in with.' }),
    role: t.expose('role', { type: Role, description: 'What they may do.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When they became a member.' }),
  }),
})

const MemberConnection = builder.connectionObject(
  { type: Member, name: 'MemberConnection', description: 'Members of a project, oldest first.' },
  { name: 'MemberEdge' },
)

const Invitation = builder.objectRef<InvitationShape>('Invitation').implement({
  description: 'An invitation to a project that has not been accepted yet.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Opaque; starts with `inv_`.' }),
    email: t.exposeString('email', { description: 'The address it was sent to.' }),
    role: t.expose('role', { type: Role, description: 'What they may do once they have accepted.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was sent.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When its link expires: seven days after it was sent.' }),
  }),
})

builder.objectFields('Project', (t) => ({
  role: t.field({
    type: Role,
    nullable: true,
    description: 'What the person signed in may do in it; null for a key.',
    resolve: (project) => (project as Project).role ?? null,
  }),
  members: t.connection(
    {
      type: Member,
      description: 'The people who work in it, oldest first; at most 1,000.',
      access: { who: 'secret', project: ({ id }) => id },
      resolve: ({ id }, args, ctx) => connectMembers(ctx, { ...args, id }),
    },
    MemberConnection,
  ),
  invitations: t.field({
    type: [Invitation],
    description: 'Invitations that have not been accepted yet, newest first; at most 100.',
    extensions: { maxItems: 100 },
    access: { who: 'secret', project: ({ id }) => id },
    resolve: ({ id }, _args, ctx) => listInvitations(ctx, { id }),
  }),
}))

const ReceivedInvitation = builder.objectRef<ReceivedShape>('ReceivedInvitation').implement({
  description: 'An invitation to a project, as the person who was invited sees it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Opaque; starts with `inv_`. Pass it to `joinProject`.' }),
    projectId: t.exposeID('projectId', { description: 'Id of the project, which can be read once the invitation is accepted.' }),
    projectName: t.exposeString('projectName', { description: 'The name of the project.' }),
    role: t.expose('role', { type: Role, description: 'What they may do once they have accepted.' }),
    createdAt: t.expose('invitedAt', { type: 'DateTime', description: 'When it was sent.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it expires: seven days after it was sent.' }),
  }),
})

builder.objectField('User', 'invitations', (t) =>
  t.field({
    type: [ReceivedInvitation],
    extensions: { maxItems: 100 },
    description: 'Invitations to projects that were sent to their address, newest first, at most 100; none before the address is verified.',
    access: 'user',
    resolve: async (_user, _args, ctx) => (await listReceivedInvitations(ctx)).data,
  }),
)

const OpenInvitation = builder.objectRef<InvitationView>('OpenInvitation').implement({
  description: 'An invitation to a project, as anyone who has its link may see it.',
  fields: (t) => ({
    projectName: t.exposeString('projectName', { description: 'The name of the project.' }),
    email: t.exposeString('email', { description: 'The address that was invited.' }),
    role: t.expose('role', { type: Role, description: 'What the person may do once they have accepted.' }),
    hasAccount: t.exposeBoolean('hasAccount', {
      description:
        'Whether the address has an account: then `acceptInvitation` takes its password, otherwise that of the account to create.',
    }),
  }),
})

builder.queryField('invitation', (t) =>
  t.field({
    type: OpenInvitation,
    nullable: true,
    description: 'The invitation of a link, for the page that it leads to; null when it was accepted or revoked, or has expired.',
    args: { token: t.arg.string({ required: true, description: 'The token from the link in the email.' }) },
    access: 'none',
    resolve: (_parent, args, ctx) => findOpenInvitation(ctx, read(ByInvitationToken, args, 'query')),
  }),
)

const draft = graphqlInput('InviteMemberInput', MemberDraft.omit({ id: true }))
const change = graphqlInput('UpdateMemberInput', MemberChange.omit({ id: true }))
const removal = graphqlInput('RemoveMemberInput', ByMember.omit({ id: true }))
const joining = graphqlInput('JoinProjectInput', ByReceivedInvitation, { names: { id: 'invitationId' } })
const revocation = graphqlInput('RevokeInvitationInput', ById)

const InviteMemberPayload = payloadOf<{ invitation: InvitationShape; invitationUrl?: string | undefined }>('InviteMemberPayload', (t) => ({
  invitation: t.expose('invitation', {
    type: Invitation,
    description: 'The invitation, the same whether the address has an account or not.',
  }),
  invitationUrl: t.exposeString('invitationUrl', {
    nullable: true,
    description: 'Link of the invitation, to pass on by hand; null where the installation sends it by email itself.',
  }),
}))
const JoinProjectPayload = payloadOf<JoinedProject>('JoinProjectPayload', (t) => ({
  project: t.field({
    type: 'Project',
    description: 'The project that the person signed in is a member of now.',
    resolve: ({ projectId }, _args, ctx) => getProject(ctx, { id: projectId }),
  }),
}))
const UpdateMemberPayload = payloadOf<{ member: MemberShape }>('UpdateMemberPayload', (t) => ({
  member: t.expose('member', { type: Member, description: 'The member as they are now.' }),
}))
const RemoveMemberPayload = payloadOf<{ userId: string }>('RemoveMemberPayload', (t) => ({
  removedUserId: t.exposeID('userId', { description: 'Id of the account that is not a member any more.' }),
}))
const RevokeInvitationPayload = payloadOf<{ id: string }>('RevokeInvitationPayload', (t) => ({
  revokedInvitationId: t.exposeID('id', { description: 'Id of the invitation that was revoked.' }),
}))

builder.mutationFields((t) => ({
  inviteMember: t.field({
    type: InviteMemberPayload,
    description:
      'Invites a person to the project of the call by an email whose link is valid for 7 days; nobody becomes a member without accepting. Inviting an address again renews its invitation. A recipient gets at most one email per project and day and five a day in all; an inviter and a project may invite 50 a day (RATE_LIMIT_EXCEEDED). Needs a signed-in admin or owner; only an owner can invite owners (FORBIDDEN). Fails with CONFLICT for a member.',
    args: draft.args(t),
    access: 'admin session',
    resolve: async (_parent, args, ctx) => {
      const { invitationUrl, ...invitation } = await inviteMember(ctx, { ...draft.read(args), id: ctx.projectId })
      return { invitation, invitationUrl }
    },
  }),
  joinProject: t.field({
    extensions: { waits: true },
    type: JoinProjectPayload,
    description:
      'Accepts an invitation that was sent to the address of the person signed in, which must be verified (EMAIL_VERIFICATION_REQUIRED). Fails with RESOURCE_NOT_FOUND for any other invitation, CONFLICT when the project has 1,000 members.',
    args: joining.args(t),
    access: 'user',
    resolve: (_parent, args, ctx) => joinProject(ctx, joining.read(args)),
  }),
  updateMember: t.field({
    extensions: { waits: true, endsRights: true },
    type: UpdateMemberPayload,
    description:
      'Gives a member another role. Needs a signed-in admin or owner. The last owner stays an owner, and only an owner can change owners (FORBIDDEN). Fails with RESOURCE_NOT_FOUND.',
    args: change.args(t),
    access: 'admin session',
    resolve: async (_parent, args, ctx) => ({ member: await updateMember(ctx, { ...change.read(args), id: ctx.projectId }) }),
  }),
}))

builder.mutationFields((t) => ({
  removeMember: t.field({
    extensions: { waits: true, endsRights: true },
    type: RemoveMemberPayload,
    description:
      'Ends a membership: admins and owners those of others, everybody their own. The last owner stays, and only an owner can remove owners (FORBIDDEN). Fails with RESOURCE_NOT_FOUND.',
    args: removal.args(t),
    access: { who: 'admin session', oneself: (args) => removal.read(args).userId },
    resolve: async (_parent, args, ctx) => {
      const { userId } = removal.read(args)
      await removeMember(ctx, { userId, id: ctx.projectId })
      return { userId }
    },
  }),
  revokeInvitation: t.field({
    type: RevokeInvitationPayload,
    description:
      'Revokes an invitation: its link stops working. Needs a signed-in admin or owner (FORBIDDEN); fails with RESOURCE_NOT_FOUND.',
    args: revocation.args(t),
    access: 'admin session',
    resolve: async (_parent, args, ctx) => {
      const { id } = revocation.read(args)
      await revokeInvitation(ctx, { invitationId: id, id: ctx.projectId })
      return { id }
    },
  }),
}))
