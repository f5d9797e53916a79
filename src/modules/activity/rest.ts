import { route } from '../../kit/route.ts'
import { Nothing } from '../../kit/shapes.ts'
import { countRecentActivity, listActivity, listActivityTypes } from './activity.ts'
import { ActivityPage, ActivityPeriod, ActivitySearch, ActivityStats, ActivityTypeList, RecentCount, RecentPeriod } from './shapes.ts'
import { getActivityStats } from './stats.ts'

/** Activity. */
export const routes = [
  route('GET', '/activity', 'secret', ActivitySearch, ActivityPage, listActivity, { summary: 'List what happened, newest first' }),
  route('GET', '/activity/types', 'secret', Nothing, ActivityTypeList, listActivityTypes, { summary: 'List the types of activity' }),
  route('GET', '/activity/recent-count', 'secret', RecentPeriod, RecentCount, countRecentActivity, {
    summary: 'Count what happened in the last minutes',
  }),
  route('GET', '/activity/stats', 'secret', ActivityPeriod, ActivityStats, getActivityStats, {
    summary: 'Sum up what happened, with open and click rates',
  }),
]
