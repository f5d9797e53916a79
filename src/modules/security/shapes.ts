import { z } from 'zod'
import { Text, Timestamp } from '../../kit/shapes.ts'

/** Why a project is suspended. */
export const SuspensionReason = z.enum(['PAYMENT_FAILED', 'EMAIL_REPUTATION', 'PHISHING_DETECTED', 'CARD_VERIFICATION_FAILED', 'MANUAL'])
/** Why a project is suspended. */
export type SuspensionReason = z.output<typeof SuspensionReason>

/** A suspension to create. */
export const SuspensionDraft = z.object({
  reason: SuspensionReason,
  detail: Text.trim().min(1, { error: 'must explain the suspension in a sentence for the members of the project' }).max(1_000),
})
/** A suspension to create. */
export type SuspensionDraft = z.output<typeof SuspensionDraft>

/** A period in which the project could be read but not changed, and sent nothing. */
export const Suspension = z
  .object({
    id: z.string(),
    reason: SuspensionReason,
    detail: z.string().describe('What happened: a sentence for people.'),
    suspendedAt: Timestamp,
    liftedAt: Timestamp.nullable().describe('When it was lifted; null while it is in force.'),
  })
  .meta({ id: 'Suspension', description: 'A period in which a project could be read but not changed, and sent nothing.' })
/** A period in which the project could be read but not changed, and sent nothing. */
export type Suspension = z.output<typeof Suspension>

const Window = z
  .object({
    total: z.int().describe('Emails sent, including those that a mail server refused at once.'),
    bounces: z.int().describe('Hard bounces. Temporary bounces do not count.'),
    complaints: z.int().describe('Emails that recipients reported as spam.'),
    bounceRate: z.number().describe('Hard bounces in percent of the emails sent.'),
    complaintRate: z.number().describe('Complaints in percent of the emails sent.'),
  })
  .meta({ id: 'ReputationWindow' })
/** How many emails were sent in a period, and what happened to them. */
export type ReputationWindow = z.output<typeof Window>

/** How serious a rate is. */
export const ReputationLevel = z.enum(['healthy', 'warning', 'critical'])

/** The reputation of a project and its suspensions. */
export const Security = z
  .object({
    status: z.object({
      projectId: z.string(),
      isHealthy: z.boolean().describe('Whether no rate or count is critical.'),
      shouldDisable: z
        .boolean()
        .describe('Whether a rate or count is critical. Its next increase suspends the project, unless AUTO_PROJECT_DISABLE is off.'),
      twentyFourHour: Window.describe('The current hour and the 23 hours before it.'),
      sevenDay: Window.describe('The current hour and the 167 hours before it.'),
      allTime: Window,
      isNewProject: z.boolean().describe('Whether the project is younger than 30 days: absolute limits apply as well.'),
      violations: z.array(z.string()).describe('What is critical: sentences for people.'),
      warnings: z.array(z.string()).describe('What has reached a warning threshold: sentences for people.'),
    }),
    levels: z.object({
      bounce7Day: ReputationLevel,
      bounceAllTime: ReputationLevel,
      complaint7Day: ReputationLevel,
      complaintAllTime: ReputationLevel,
    }),
    isDisabled: z.boolean().describe('Whether the project is suspended at present.'),
    recentSuspensions: z.array(Suspension).describe('The latest 20 suspensions, newest first.'),
  })
  .meta({
    id: 'Security',
    description:
      'Bounces and complaints in percent of the emails sent, at most a few seconds old, and the suspensions of the project. When a suspension for bounces or complaints is lifted, counting starts again.',
  })
/** The reputation of a project and its suspensions. */
export type Security = z.output<typeof Security>
