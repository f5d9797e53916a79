import { builder } from '../../../kit/builder.ts'
import { enumOf, inputOf } from '../../../kit/zod-input.ts'
import { type Project, Role as RoleShape } from '../shapes.ts'
import { revokeInvitation } from './invitations.ts'
import { addMember, listMembers, removeMember, updateMember } from './members.ts'
import { AddedMember as Added, type Invitation as InvitationShape, MemberDraft, type Member as MemberShape } from './shapes.ts'

const Role = enumOf('Role', RoleShape, 'What a member of a project may do.', {
  OWNER: 'Everything.',
  ADMIN: 'Everything but add, change or remove owners.',
  MEMBER: 'Everything but settings, keys, members, domains and billing.',
})

const Member = builder.objectRef<MemberShape>('Member').implement({
  description: 'Somebody who works in a project.',
  fields: (t) => ({
    userId: t.exposeID('userId', { description: 'Opaque; starts with `usr_`.' }),
    email: t.exposeString('email'),
    role: t.expose('role', { type: Role, description: 'What they may do.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Since when.' }),
  }),
})

const Invitation = builder.objectRef<InvitationShape>('Invitation').implement({
  description: 'Somebody who was invited to a project and has not come yet.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Opaque; starts with `inv_`.' }),
    email: t.exposeString('email'),
    role: t.expose('role', { type: Role, description: 'What they may do once they have come.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'Seven days after it was sent.' }),
  }),
})

const Status = enumOf('MemberStatus', Added.shape.status, 'Whether somebody is a member yet.', {
  ACTIVE: 'A member.',
  INVITED: 'There is no account with the address: a mail with a link is on its way.',
})

const AddedMember = builder.objectRef<Added>('AddedMember').implement({
  description: 'Who was added to a project, or invited to it.',
  fields: (t) => ({
    userId: t.exposeID('userId', { nullable: true, description: 'Null for somebody who is only invited.' }),
    email: t.exposeString('email'),
    role: t.expose('role', { type: Role, description: 'What they may do once they have come.' }),
    status: t.expose('status', { type: Status }),
    invitationUrl: t.exposeString('invitationUrl', {
      nullable: true,
      description: 'Where they take the invitation; there only where the installation sends no mail of its own.',
    }),
  }),
})

builder.objectFields('Project', (t) => ({
  role: t.field({
    type: Role,
    nullable: true,
    description: 'What who is signed in may do in it; null for a key.',
    resolve: (project) => (project as Project).role ?? null,
  }),
  members: t.field({
    type: [Member],
    description: 'Who works in it, oldest first; 1,000 at most.',
    access: { who: 'secret', project: ({ id }) => id },
    resolve: async (project, _args, ctx) => (await listMembers(ctx, project)).members,
  }),
  invitations: t.field({
    type: [Invitation],
    description: 'Who is invited and has not come yet, newest first; 100 at most.',
    access: { who: 'secret', project: ({ id }) => id },
    resolve: async (project, _args, ctx) => (await listMembers(ctx, project)).invitations,
  }),
}))

const draft = inputOf('AddMemberInput', MemberDraft.omit({ id: true }))

builder.mutationFields((t) => ({
  addMember: t.field({
    type: AddedMember,
    description:
      'Adds somebody with an account to the project at once, and invites an address without one by a mail whose link holds for 7 days. Needs a signed-in admin or owner; only an owner makes owners. Fails with CONFLICT, FORBIDDEN.',
    args: draft.args(t),
    access: 'admin session',
    resolve: (_parent, args, ctx) => addMember(ctx, { ...draft.read(args), id: ctx.projectId }),
  }),
  updateMember: t.field({
    type: Member,
    description: 'Gives a member another role. The last owner stays one; only an owner changes owners (FORBIDDEN).',
    args: {
      userId: t.arg.id({ required: true, description: 'Whose.' }),
      role: t.arg({ type: Role, required: true, description: 'The new one.' }),
    },
    access: 'admin session',
    resolve: (_parent, args, ctx) => updateMember(ctx, { ...args, id: ctx.projectId }),
  }),
  removeMember: t.field({
    type: 'ID',
    description:
      'Ends a membership: an admin or owner that of others, everybody their own. The last owner stays; only an owner removes owners (FORBIDDEN). Answers the user’s id.',
    args: { userId: t.arg.id({ required: true, description: 'Whose.' }) },
    access: { who: 'admin session', oneself: ({ userId }) => userId },
    resolve: (_parent, { userId }, ctx) => removeMember(ctx, { userId, id: ctx.projectId }).then(() => userId),
  }),
  revokeInvitation: t.field({
    type: 'ID',
    description: 'Takes an invitation back: its link stops working. Answers its id; fails with RESOURCE_NOT_FOUND, FORBIDDEN.',
    args: { id: t.arg.id({ required: true }) },
    access: 'admin session',
    resolve: (_parent, { id }, ctx) => revokeInvitation(ctx, { invitationId: id, id: ctx.projectId }).then(() => id),
  }),
}))
