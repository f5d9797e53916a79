import { route } from '../../kit/route.ts'
import { Nothing } from '../../kit/shapes.ts'
import { countRecentActivity, listActivity, listActivityTypes } from './activity.ts'
import { ActivityPage, ActivityPeriod, ActivitySearch, ActivityStats, ActivityTypeList, RecentCount, RecentPeriod } from './shapes.ts'
import { getActivityStats } from './stats.ts'
import { UpcomingList, UpcomingSearch } from './upcoming/shapes.ts'
import { listUpcomingActivity } from './upcoming/upcoming.ts'

/** The activity feed of a project and its figures. */
export const routes = [
  route('GET', '/activity', 'secret', ActivitySearch, ActivityPage, listActivity, {
    summary: 'List the activity of the project, newest first',
  }),
  route('GET', '/activity/types', 'secret', Nothing, ActivityTypeList, listActivityTypes, { summary: 'List the types of activity' }),
  route('GET', '/activity/recent-count', 'secret', RecentPeriod, RecentCount, countRecentActivity, {
    summary: 'Count the events of the last minutes',
  }),
  route('GET', '/activity/stats', 'secret', ActivityPeriod, ActivityStats, getActivityStats, {
    summary: 'Get the figures of a range of days, with open and click rates',
  }),
  route('GET', '/activity/upcoming', 'secret', UpcomingSearch, UpcomingList, listUpcomingActivity, {
    summary: 'List what is going to happen, soonest first',
    description:
      'Campaigns that are scheduled, also late ones, and executions of workflows that wait for a time: a delay, or the end of a wait for an event. Executions that are due already are not listed.',
  }),
]
