import type { World } from '../../kit/world.ts'
import { findProjectAdmins, notify } from '../notifications/notify.ts'
import { periodOf } from './period.ts'
import { claimWarnings } from './sql.ts'

const most = 100

/**
 * Tells the owners and admins of projects whose caps have passed 80 or 100 percent this month, once a threshold and month
 * whatever the number of workers; a cap that is used up at once gets the second mail only.
 *
 * @returns whether there may be more
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
    return caps.length === most
  })
}
