import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../../kit/context.ts'
import { getDomain } from '../../domains/domains.ts'
import type { Domain, DomainChange } from '../../domains/shapes.ts'
import { waitsForWarmUp } from '../../domains/warm-up/schedule.ts'
import { setWarmUp } from '../../domains/warm-up/warm-up.ts'
import { freshMs } from '../queue/claim.ts'
import { wakePaused } from '../queue/sql.ts'
import { deliverQueue } from '../shapes.ts'
import { openSendings } from './sql.ts'

const dayMs = 86_400_000
const perBatch = 1_000
const maxBatches = 1_000

/**
 * Begins the warm-up of a domain, which holds for all that leaves after the answer, or ends it, so that what waits for another day may
 * leave at once. Saying again what holds already changes nothing. Fails with RESOURCE_NOT_FOUND.
 */
export async function updateDomain(ctx: Ctx, { id, warmUp }: DomainChange): Promise<Domain> {
  const { db, clock, projectId } = ctx
  await getDomain(ctx, { id })
  if (warmUp === undefined) return getDomain(ctx, { id })
  const changed = await db.transaction(async (tx) => {
    const domain = await setWarmUp(ctx, tx, { id, warmUp })
    if (domain !== null && warmUp) await tx.run(openSendings, [projectId, id, clock.aheadMs])
    return domain
  })
  // What is being attempted leaves, or begins to wait, by what was read of it a moment ago.
  if (changed !== null) await sleep(freshMs * 2)
  if (changed !== null && !warmUp) await wakeWaiting(ctx, changed)
  return getDomain(ctx, { id })
}

async function wakeWaiting({ db, clock, jobs, projectId }: Ctx, domain: string): Promise<void> {
  const values = [clock.aheadMs, dayMs, waitsForWarmUp(domain), projectId, perBatch]
  for (let batch = 0; batch < maxBatches; batch++) {
    const woken = await db.lookups.run(wakePaused, values)
    if (woken.length > 0) jobs.wake(deliverQueue)
    if (woken.length < perBatch) return
  }
}
