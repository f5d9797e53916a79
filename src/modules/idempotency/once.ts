import type { Ctx } from '../../kit/context.ts'
import { Failure, invalid } from '../../kit/errors.ts'
import type { Executor } from '../../kit/postgres/db.ts'
import { dropAnswers, findAnswer, keepAnswer, lockKey } from './sql.ts'

const keptMs = 24 * 3_600_000

/**
 * Does work once for an Idempotency-Key: the first answer is kept in the transaction of the work and
 * replayed for 24 hours. Fails with IDEMPOTENCY_KEY_IN_PROGRESS while the first call runs and IDEMPOTENCY_KEY_MISMATCH
 * when the key was used for another call; work that fails frees the key. Without a key the work simply runs.
 *
 * @param work   does it, on the transaction when there is one
 * @param revive makes the answer of its JSON form
 */
export async function once<Answer extends object>(
  ctx: Ctx,
  work: (on: Executor | undefined) => Promise<Answer>,
  revive: (kept: Answer) => Answer,
): Promise<Answer> {
  const { db, clock, projectId, idempotency, answer } = ctx
  if (!idempotency) return work(undefined)
  const { key, fingerprint } = idempotency
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) throw invalid('Idempotency-Key', 'must be 1 to 255 printable ASCII characters')
  const now = clock.now()
  return db.transaction(async (tx) => {
    const [lock] = await tx.run(lockKey, [projectId, key])
    if (!lock?.locked) throw new Failure('IDEMPOTENCY_KEY_IN_PROGRESS')
    const [first] = await tx.run(findAnswer, [projectId, key, new Date(now.getTime() - keptMs)])
    if (first && first.fingerprint !== fingerprint) throw new Failure('IDEMPOTENCY_KEY_MISMATCH')
    if (first) {
      answer.replayed = true
      return revive(first.answer as Answer)
    }
    const fresh = await work(tx)
    await tx.run(keepAnswer, [projectId, key, fingerprint, JSON.stringify(fresh), now])
    return fresh
  })
}

/** Forgets answers older than 24 hours. */
export async function forgetAnswers({ db, clock }: Pick<Ctx, 'db' | 'clock'>): Promise<void> {
  await db.run(dropAnswers, [new Date(clock.now().getTime() - keptMs)])
}
