import { route } from '../../kit/route.ts'
import { Nothing } from '../../kit/shapes.ts'
import { getCampaignSummary, listTopCampaigns } from './campaigns.ts'
import { listTopEvents } from './events.ts'
import { CampaignSummary, Timeseries, TimeseriesPeriod, TopCampaigns, TopCampaignsSearch, TopEvents, TopEventsQuery } from './shapes.ts'
import { getTimeseries } from './timeseries.ts'

/** The figures of a project. */
export const routes = [
  route('GET', '/analytics/timeseries', 'secret', TimeseriesPeriod, Timeseries, getTimeseries, {
    summary: 'Get what became of emails over time',
    description:
      'By days of a time zone, oldest first and without gaps: a day on which clocks change has 23 or 25 hours. At most 366 days, or 31 with `interval=HOUR`; at most 2 seconds behind. What happened counts on the day on which it happened, whenever the email was sent. Opens and clicks of machines are apart. Deleting a contact does not change what was counted; counts are stored for 25 months.',
  }),
  route('GET', '/analytics/top-campaigns', 'secret', TopCampaignsSearch, TopCampaigns, listTopCampaigns, {
    summary: 'Compare campaigns',
    description:
      'The SENT campaigns with most opens, or by another `metric`, the best first; of equal ones, that which was sent to more. At most 2 seconds behind. Rates are percent of what was sent; opens and clicks of machines are apart. Deleting a contact does not change what was counted.',
  }),
  route('GET', '/analytics/campaign-stats', 'secret', Nothing, CampaignSummary, getCampaignSummary, {
    summary: 'Get what became of the campaigns of the project',
    description: 'With the newest 100 campaigns, each with its counts and rates. At most 2 seconds behind.',
  }),
  route('GET', '/analytics/top-events', 'secret', TopEventsQuery, TopEvents, listTopEvents, {
    summary: 'List the most frequent events, with their trend',
    description:
      'Of at most 366 UTC days, compared with as many days before. Events of deleted contacts, and of names that were deleted, are not counted; those that LOG_RETENTION_MONTHS has removed are.',
  }),
]
