import type { Transaction } from '../../kit/postgres/db.ts'
import type { World } from '../../kit/world.ts'
import { countReputation } from './count.ts'
import { findReputation } from './security.ts'
import { takeChanged } from './sql.ts'
import { announceSuspension, suspendWithin } from './suspensions.ts'

const maxReviewed = 50

/**
 * Counts new lines of the log and reviews the projects with new bounces or complaints. With AUTO_PROJECT_DISABLE a critical
 * project is suspended, but only for a metric that has increased. Review and suspension commit together, so that the review
 * is repeated after a crash.
 *
 * @returns whether there may be more to do
 */
export async function reviewReputations(world: World): Promise<boolean> {
  const more = await countReputation(world)
  const { reviewed, suspended } = await world.db.transaction(async (tx) => {
    const changed = await tx.run(takeChanged, [maxReviewed])
    const suspended: string[] = []
    for (const one of changed) if (await reviewProject(tx, world, one)) suspended.push(one.projectId)
    return { reviewed: changed.length, suspended }
  })
  await Promise.all(suspended.map((projectId) => announceSuspension({ world, projectId })))
  return more || reviewed === maxReviewed
}

/** A project, and which of its metrics have increased. */
type Changed = { projectId: string; bounces: boolean; complaints: boolean }

async function reviewProject(tx: Transaction, world: World, changed: Changed): Promise<boolean> {
  const { projectId } = changed
  const found = await findReputation(tx, { projectId, at: world.clock.now() })
  const grounds = found?.verdict.violations.filter(({ metric }) => changed[metric]) ?? []
  if (grounds.length === 0) return false
  const detail = grounds.map(({ sentence }) => sentence).join(' ')
  world.log.warn({ project: projectId, detail }, 'security: the reputation of a project is critical')
  // Anyone can make the installation send to bad addresses, by signing up with them: that must not stop its own emails.
  if (!world.config.AUTO_PROJECT_DISABLE || projectId === world.config.platformProjectId) return false
  return suspendWithin(tx, { world, projectId }, { reason: 'EMAIL_REPUTATION', detail })
}
