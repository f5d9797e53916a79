import { route } from '../../kit/route.ts'
import { Nothing } from '../../kit/shapes.ts'
import { countRecentActivity, listActivity, listActivityTypes } from './activity.ts'
import { ActivityPage, ActivityPeriod, ActivitySearch, ActivityStats, ActivityTypeList, RecentCount, RecentPeriod } from './shapes.ts'
import { getActivityStats } from './stats.ts'

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
]
