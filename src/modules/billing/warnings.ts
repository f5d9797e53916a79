import type { World } from '../../kit/world.ts'
import { findProjectAdmins, notify } from '../notifications/notify.ts'
import { periodOf } from './period.ts'
import { claimWarnings } from './sql.ts'

const maxClaimed = 100

/**
 * Notifies the owners and admins of projects whose usage has passed 80 or 100 percent of a cap this month: once per threshold
 * and month, whatever the number of workers. When both thresholds are passed at once, only the second notification is sent.
 *
 * @returns whether there may be more to send
 */
export async function warnOfCaps(world: World): Promise<boolean> {
  const now = world.clock.now()
  const { start, end } = periodOf(now)
  return world.db.transaction(async (tx) => {
    const caps = await tx.run(claimWarnings, [start, now])
    for (const { projectId, category, used, cap, full } of caps) {
      const kind = full ? 'billing-limit-reached' : 'billing-warning'
      for (const { email, projectName } of await findProjectAdmins(tx, projectId)) {
        const data = { projectName, category: category === 'total' ? 'all' : category, used, limit: cap, periodEnd: end.toISOString() }
        await notify(world, { to: email, kind, data }, tx)
      }
    }
    return caps.length === maxClaimed
  })
}
