import type { Ctx } from '../../../kit/context.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import { recordChange } from '../../projects/changes.ts'
import { stillAdmin } from '../../projects/members/rights.ts'
import type { WarmUp } from '../shapes.ts'
import { dailyLimits, dayOfWarmUp, waitsForWarmUp } from './schedule.ts'
import { selectSendings, storeWarmUp } from './sql.ts'

/** A domain that may be warmed up. */
interface Warmed {
  id: string
  domain: string
  warmUpAt: Date | null
}

/** How far the warm-ups of domains are, by their ids; those without one are left out. One statement, and none where there is no warm-up. */
export async function findWarmUps(
  { db, clock, projectId }: Pick<Ctx, 'db' | 'clock' | 'projectId'>,
  domains: readonly Warmed[],
): Promise<Map<string, WarmUp>> {
  const now = clock.now()
  const begun = domains.flatMap(({ id, domain, warmUpAt }) => {
    if (warmUpAt === null) return []
    const day = dayOfWarmUp(warmUpAt, now)
    return [{ id, domain, startedAt: warmUpAt, day, limitToday: dailyLimits[day - 1] ?? null }]
  })
  if (begun.length === 0) return new Map()
  const rows = await db.run(selectSendings, [
    projectId,
    begun.map(({ id }) => id),
    begun.map(({ domain }) => domain),
    begun.map(({ domain }) => waitsForWarmUp(domain)),
    begun.map(({ limitToday }) => limitToday),
    now.toISOString().slice(0, 10),
  ])
  const counts = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    begun.map(({ id, domain: _domain, ...warmUp }) => {
      const { sent = 0, waiting = 0 } = counts.get(id) ?? {}
      return [id, { ...warmUp, sentToday: sent, waiting }]
    }),
  )
}

/** Begins or ends the warm-up of a domain and logs that. Returns its name where that changes anything, otherwise null. */
export async function setWarmUp(ctx: Ctx, tx: Transaction, { id, warmUp }: { id: string; warmUp: boolean }): Promise<string | null> {
  const { clock, projectId } = ctx
  await stillAdmin(ctx, tx)
  const now = clock.now()
  const [changed] = await tx.run(storeWarmUp, [projectId, id, warmUp ? now : null, now])
  if (changed) await recordChange(ctx, tx, { projectId, fields: ['domains.warmUp'] })
  return changed?.domain ?? null
}
