import type { Ctx } from '../../../kit/context.ts'
import { topic } from '../../../kit/notices.ts'

/** Notices of campaigns that a worker should look at now, or whose counts or state have changed. */
export const campaignsTopic = topic('campaigns')

/** Makes the workers look at the campaigns that are due, and everybody who watches one of a project read it again. */
export function wakeRunner({ notices, projectId }: Pick<Ctx, 'notices' | 'projectId'>): void {
  notices.publish(campaignsTopic, projectId)
}
