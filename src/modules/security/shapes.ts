import { z } from 'zod'
import { Text, Timestamp } from '../../kit/shapes.ts'

/** Why a project is suspended. */
export const SuspensionReason = z.enum(['PAYMENT_FAILED', 'EMAIL_REPUTATION', 'PHISHING_DETECTED', 'CARD_VERIFICATION_FAILED', 'MANUAL'])
/** Why a project is suspended. */
export type SuspensionReason = z.output<typeof SuspensionReason>

/** A suspension as it is asked for. */
export const SuspensionDraft = z.object({
  reason: SuspensionReason,
  detail: Text.trim().min(1, { error: 'must say why, in a sentence its members can read' }).max(1_000),
})
/** A suspension as it is asked for. */
export type SuspensionDraft = z.output<typeof SuspensionDraft>

/** A time in which the project could not be changed and sent nothing. */
export const Suspension = z
  .object({
    id: z.string(),
    reason: SuspensionReason,
    detail: z.string().describe('What happened, in a sentence.'),
    suspendedAt: Timestamp,
    liftedAt: Timestamp.nullable().describe('Null while it holds.'),
  })
  .meta({ id: 'Suspension', description: 'A time in which a project could be read but not changed, and sent nothing.' })
/** A time in which the project could not be changed and sent nothing. */
export type Suspension = z.output<typeof Suspension>

const Window = z
  .object({
    total: z.int().describe('Mails sent, those that were refused at once included.'),
    bounces: z.int().describe('Hard bounces; temporary ones do not count.'),
    complaints: z.int().describe('Mails reported as spam.'),
    bounceRate: z.number().describe('Hard bounces in percent of the mails sent.'),
    complaintRate: z.number().describe('Complaints in percent of the mails sent.'),
  })
  .meta({ id: 'ReputationWindow' })
/** What happened to the mails of a window of time. */
export type ReputationWindow = z.output<typeof Window>

/** How bad a rate is. */
export const ReputationLevel = z.enum(['healthy', 'warning', 'critical'])

/** The reputation of a project and its suspensions. */
export const Security = z
  .object({
    status: z.object({
      projectId: z.string(),
      isHealthy: z.boolean().describe('Nothing is critical.'),
      shouldDisable: z.boolean().describe('Something is critical: its next move suspends the project, unless AUTO_PROJECT_DISABLE is off.'),
      twentyFourHour: Window.describe('The present hour and the 23 before it.'),
      sevenDay: Window.describe('The present hour and the 167 before it.'),
      allTime: Window,
      isNewProject: z.boolean().describe('Younger than 30 days: absolute ceilings hold as well.'),
      violations: z.array(z.string()).describe('What is critical, in sentences.'),
      warnings: z.array(z.string()).describe('What comes near it, in sentences.'),
    }),
    levels: z.object({
      bounce7Day: ReputationLevel,
      bounceAllTime: ReputationLevel,
      complaint7Day: ReputationLevel,
      complaintAllTime: ReputationLevel,
    }),
    isDisabled: z.boolean().describe('The project is suspended at present.'),
    recentSuspensions: z.array(Suspension).describe('The last 20, newest first.'),
  })
  .meta({
    id: 'Security',
    description:
      'Bounces and complaints in percent of the mails sent, at most a few seconds old. After a suspension for them was lifted, counting begins anew.',
  })
/** The reputation of a project and its suspensions. */
export type Security = z.output<typeof Security>
