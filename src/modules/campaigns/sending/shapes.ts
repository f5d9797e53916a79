import { z } from 'zod'
import { EmailAddress, Moment } from '../../../kit/shapes.ts'

/** When a campaign is sent. */
export const CampaignSending = z
  .object({
    id: z.string(),
    scheduledFor: Moment.nullable()
      .optional()
      .meta({
        description: 'When it is sent; left out or null for now. Must be in the future.',
        examples: ['2099-01-31T09:30:00Z'],
      }),
  })
  .meta({ id: 'CampaignSending' })
/** When a campaign is sent. */
export type CampaignSending = z.output<typeof CampaignSending>

/** Whom to send a test of a campaign. */
export const CampaignTest = z
  .object({ id: z.string().describe('Id of the campaign.'), email: EmailAddress.describe('Where the test is sent.') })
  .meta({ id: 'CampaignTest' })
/** Whom to send a test of a campaign. */
export type CampaignTest = z.output<typeof CampaignTest>

/** Whom to send a test of a template. */
export const TemplateTest = z.object({
  id: z.string().describe('Id of the template.'),
  email: EmailAddress.describe('Where the test is sent.'),
  contactId: z
    .string()
    .optional()
    .describe('The contact it is rendered for. Default: the one with that address, or else a subscribed one without data.'),
})
/** Whom to send a test of a template. */
export type TemplateTest = z.output<typeof TemplateTest>

/** What became of a test. */
export const CampaignTested = z.object({ success: z.literal(true), message: z.string() }).meta({ id: 'CampaignTested' })
