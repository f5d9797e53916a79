import { z } from 'zod'
import { Timestamp, wholeNumber } from '../../../kit/shapes.ts'

/** What kind of thing is going to happen. */
export const UpcomingType = z.enum(['campaign.scheduled', 'workflow.email.scheduled', 'workflow.waiting'])
/** What kind of thing is going to happen. */
export type UpcomingType = z.output<typeof UpcomingType>

/** Which upcoming activity to list. */
export const UpcomingSearch = z.object({
  limit: wholeNumber(100).default(50).describe('How many items, 1 to 100.'),
  daysAhead: wholeNumber(90).default(30).describe('How many days ahead, 1 to 90.'),
})
/** Which upcoming activity to list. */
export type UpcomingSearch = z.output<typeof UpcomingSearch>

/** Something that is going to happen. */
export const UpcomingActivity = z
  .object({
    id: z.string().describe('Id of the campaign or of the execution.'),
    type: UpcomingType.describe(
      '`workflow.email.scheduled` when the step after the wait of an execution sends an email, `workflow.waiting` before another step.',
    ),
    timestamp: Timestamp.describe('When it is due.'),
    contactId: z.string().optional(),
    contactEmail: z.string().optional(),
    metadata: z
      .record(z.string(), z.unknown())
      .describe(
        'Of a campaign `campaignId`, `campaignName`, `subject`, `audienceType` and `segmentName`; of an execution `executionId`, `workflowId`, `workflowName`, `status`, `stepId`, `stepName`, `stepType`, and `eventName` of the event that it waits for.',
      ),
  })
  .meta({ id: 'UpcomingActivity', description: 'Something that is going to happen: a campaign or an execution of a workflow.' })
/** Something that is going to happen. */
export type UpcomingActivity = z.output<typeof UpcomingActivity>

/** What is going to happen, soonest first; `activities` is the same list as `data`. */
export const UpcomingList = z
  .object({ activities: z.array(UpcomingActivity), data: z.array(UpcomingActivity) })
  .meta({ id: 'UpcomingActivityList' })
