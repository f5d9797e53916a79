import { z } from 'zod'
import { kindOfId } from '../../../kit/ids.ts'
import { EmailAddress, Timestamp } from '../../../kit/shapes.ts'
import { Role } from '../shapes.ts'

/** A member of a project. */
export const Member = z
  .object({
    userId: z.string().meta({ examples: ['usr_01m7y3mwcpfqhrhzca2e1aqg79'] }),
    email: z.string(),
    role: Role,
    createdAt: Timestamp,
  })
  .meta({ id: 'Member', description: 'A member of a project: a user account with a role.' })
export type Member = z.output<typeof Member>

/** The key of a member's cursor: when they became a member, and who. */
export const MemberKey = z.tuple([z.iso.datetime(), z.string().refine((id) => kindOfId(id) === 'user')]).readonly()

/** A pending invitation to a project. */
export const Invitation = z
  .object({
    id: z.string().meta({ examples: ['inv_01m7y3mwcpfqhrhzca2e1aqg79'] }),
    email: z.string(),
    role: Role,
    createdAt: Timestamp,
    expiresAt: Timestamp,
  })
  .meta({ id: 'Invitation', description: 'A pending invitation to a project: it was neither accepted nor revoked and has not expired.' })
export type Invitation = z.output<typeof Invitation>

/** The members of a project, oldest first, and its pending invitations, newest first. */
export const Members = z.object({ data: z.array(Member), members: z.array(Member), invitations: z.array(Invitation) }).meta({
  id: 'Members',
  description: 'The members of a project, oldest first, and its pending invitations, newest first. `members` is the same list as `data`.',
})
export type Members = z.output<typeof Members>

/** A person to invite to a project. */
export const MemberDraft = z.object({ id: z.string(), email: EmailAddress, role: Role }).meta({ id: 'MemberDraft' })
export type MemberDraft = z.output<typeof MemberDraft>

/** An invitation that was just sent. The address need not have an account. */
export const SentInvitation = Invitation.extend({
  status: z.literal('INVITED').describe('INVITED: the person becomes a member by accepting.'),
  invitationUrl: z
    .string()
    .optional()
    .describe(
      'The link that accepts the invitation, to be passed on by hand; present only if the installation does not send emails of its own.',
    ),
}).meta({ id: 'SentInvitation', description: 'An invitation that was just sent, the same whether the address has an account or not.' })
export type SentInvitation = z.output<typeof SentInvitation>

/** An invitation to a project, as the person who was invited sees it. */
export const ReceivedInvitation = z
  .object({
    id: Invitation.shape.id,
    projectId: z.string(),
    projectName: z.string(),
    role: Role,
    invitedAt: Timestamp,
    expiresAt: Timestamp,
  })
  .meta({ id: 'ReceivedInvitation', description: 'An invitation to a project, as the person who was invited sees it.' })
export type ReceivedInvitation = z.output<typeof ReceivedInvitation>

/** The invitations of the user who is signed in, newest first. */
export const ReceivedInvitations = z.object({ data: z.array(ReceivedInvitation) }).meta({ id: 'ReceivedInvitations' })
export type ReceivedInvitations = z.output<typeof ReceivedInvitations>

/** The membership of the user who has accepted an invitation. */
export const JoinedProject = Member.extend({ projectId: z.string() }).meta({
  id: 'JoinedProject',
  description: 'The membership of the user who has accepted an invitation.',
})
export type JoinedProject = z.output<typeof JoinedProject>

/** A new role for a member. */
export const MemberChange = z
  .object({ id: z.string(), userId: z.string().describe('Id of the member’s account.'), role: Role })
  .meta({ id: 'MemberChange' })
export type MemberChange = z.output<typeof MemberChange>

/** Identifies a member of a project. */
export const ByMember = z.object({ id: z.string(), userId: z.string().describe('Id of the member’s account.') })
export type ByMember = z.output<typeof ByMember>

/** Identifies an invitation to a project. */
export const ByInvitation = z.object({ id: z.string(), invitationId: z.string() })
export type ByInvitation = z.output<typeof ByInvitation>

/** Identifies an invitation that was sent to the caller. */
export const ByReceivedInvitation = z.object({ id: z.string().describe('Id of the invitation, as `viewer.invitations` has it.') })

/** The token in the link of an invitation. */
export const ByInvitationToken = z.object({ token: z.string() })

/** An invitation, as anyone who has its link may see it. */
export const InvitationView = z
  .object({
    projectName: z.string(),
    email: z.string(),
    role: Role,
    hasAccount: z.boolean().describe('Whether the invited address already has an account.'),
  })
  .meta({ id: 'InvitationView', description: 'An invitation, as anyone who has its link may see it.' })
export type InvitationView = z.output<typeof InvitationView>
