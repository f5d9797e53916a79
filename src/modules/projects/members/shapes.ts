import { z } from 'zod'
import { kindOfId } from '../../../kit/ids.ts'
import { EmailAddress, Timestamp } from '../../../kit/shapes.ts'
import { Role } from '../shapes.ts'

/** Somebody who works in a project. */
export const Member = z
  .object({
    userId: z.string().meta({ examples: ['usr_01m7y3mwcpfqhrhzca2e1aqg79'] }),
    email: z.string(),
    role: Role,
    createdAt: Timestamp,
  })
  .meta({ id: 'Member', description: 'Somebody who works in a project.' })
export type Member = z.output<typeof Member>

/** What cursors of members hold: when somebody became one, and who. */
export const MemberKey = z.tuple([z.iso.datetime(), z.string().refine((id) => kindOfId(id) === 'user')]).readonly()

/** Somebody who was invited and has not come yet. */
export const Invitation = z
  .object({
    id: z.string().meta({ examples: ['inv_01m7y3mwcpfqhrhzca2e1aqg79'] }),
    email: z.string(),
    role: Role,
    createdAt: Timestamp,
    expiresAt: Timestamp,
  })
  .meta({ id: 'Invitation', description: 'Somebody who was invited to a project and has not come yet.' })
export type Invitation = z.output<typeof Invitation>

/** The members of a project, oldest first, under both names; and who is invited. */
export const Members = z
  .object({ data: z.array(Member), members: z.array(Member), invitations: z.array(Invitation) })
  .meta({ id: 'Members', description: '`members` is the same list as `data`.' })
export type Members = z.output<typeof Members>

/** Who shall join a project. */
export const MemberDraft = z.object({ id: z.string(), email: EmailAddress, role: Role }).meta({ id: 'MemberDraft' })
export type MemberDraft = z.output<typeof MemberDraft>

/** Who was added, or invited because there is no account with that address yet. */
export const AddedMember = z
  .object({
    userId: z.string().optional(),
    email: z.string(),
    role: Role,
    status: z.enum(['ACTIVE', 'INVITED']),
    invitationUrl: z
      .string()
      .optional()
      .describe('Where they take the invitation; answered only where the installation sends no mail of its own, to be passed on by hand.'),
  })
  .meta({ id: 'AddedMember' })
export type AddedMember = z.output<typeof AddedMember>

/** Who was added, with the membership or the invitation that was made. */
export type NewMember = AddedMember & { member?: Member; invitation?: Invitation }

/** Another role for a member. */
export const MemberChange = z
  .object({ id: z.string(), userId: z.string().describe('Id of the member’s account.'), role: Role })
  .meta({ id: 'MemberChange' })
export type MemberChange = z.output<typeof MemberChange>

/** Which member of which project. */
export const ByMember = z.object({ id: z.string(), userId: z.string().describe('Id of the member’s account.') })
export type ByMember = z.output<typeof ByMember>

/** Which invitation to which project. */
export const ByInvitation = z.object({ id: z.string(), invitationId: z.string() })
export type ByInvitation = z.output<typeof ByInvitation>

/** The token of the link an invitation was mailed with. */
export const ByInvitationToken = z.object({ token: z.string() })

/** What an invitation says to who holds its link. */
export const InvitationView = z
  .object({
    projectName: z.string(),
    email: z.string(),
    role: Role,
    hasAccount: z.boolean().describe('Whether the address has an account already.'),
  })
  .meta({ id: 'InvitationView', description: 'What an invitation says to who holds its link.' })
export type InvitationView = z.output<typeof InvitationView>
