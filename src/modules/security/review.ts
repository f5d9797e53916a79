import type { Transaction } from '../../kit/postgres/db.ts'
import type { World } from '../../kit/world.ts'
import { countReputation } from './count.ts'
import { reputationOf } from './security.ts'
import { takeMoved } from './sql.ts'
import { announceSuspension, suspendWithin } from './suspensions.ts'

const projectsAtOnce = 50

/**
 * Counts what happened and reviews the projects whose bounces or complaints moved: a critical one is suspended with
 * AUTO_PROJECT_DISABLE, for a metric that has moved only. Looking and suspending commit together, so that a crash between
 * repeats the review.
 *
 * @returns whether there may be more to do
 */
export async function reviewReputations(world: World): Promise<boolean> {
  const more = await countReputation(world)
  const { looked, suspended } = await world.db.transaction(async (tx) => {
    const moved = await tx.run(takeMoved, [projectsAtOnce])
    const suspended: string[] = []
    for (const one of moved) if (await reviewProject(tx, world, one)) suspended.push(one.projectId)
    return { looked: moved.length, suspended }
  })
  await Promise.all(suspended.map((projectId) => announceSuspension({ world, projectId })))
  return more || looked === projectsAtOnce
}

type Moved = { projectId: string; bounces: boolean; complaints: boolean }

async function reviewProject(tx: Transaction, world: World, moved: Moved): Promise<boolean> {
  const { projectId } = moved
  const { verdict } = await reputationOf(tx, { projectId, at: world.clock.now() })
  const grounds = verdict.violations.filter(({ metric }) => moved[metric])
  if (grounds.length === 0) return false
  const detail = grounds.map(({ sentence }) => sentence).join(' ')
  world.log.warn({ project: projectId, detail }, 'security: the reputation of a project is critical')
  // Anybody can make the installation write to bad addresses: that must not end resets and warnings for all.
  if (!world.config.AUTO_PROJECT_DISABLE || projectId === world.config.platformProjectId) return false
  return suspendWithin(tx, { world, projectId }, { reason: 'EMAIL_REPUTATION', detail })
}
