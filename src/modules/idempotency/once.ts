import type { Ctx } from '../../kit/context.ts'
import { Failure, invalid } from '../../kit/errors.ts'
import type { Executor } from '../../kit/postgres/db.ts'
import { dropAnswers, findAnswer, lockKey, storeAnswer } from './sql.ts'

const retentionMs = 24 * 3_600_000

/**
 * Does work once per Idempotency-Key: the first answer is stored in the transaction of the work and replayed for 24 hours.
 * Fails with IDEMPOTENCY_KEY_IN_PROGRESS while the first call is running, and with IDEMPOTENCY_KEY_MISMATCH when the key was
 * used for another call. Work that fails frees the key. Without a key the work runs every time, without a transaction.
 *
 * @param work   does the work, in the given transaction if there is one
 * @param revive restores an answer from its stored JSON form
 */
export async function once<Answer extends object>(
  ctx: Ctx,
  work: (on: Executor | undefined) => Promise<Answer>,
  revive: (stored: Answer) => Answer,
): Promise<Answer> {
  const { db, clock, projectId, idempotency, answer } = ctx
  if (!idempotency) return work(undefined)
  const { key, fingerprint } = idempotency
  if (!/^[\x20-\x7e]{1,255}$/.test(key)) throw invalid('Idempotency-Key', 'must be 1 to 255 printable ASCII characters')
  const now = clock.now()
  return db.transaction(async (tx) => {
    const [lock] = await tx.run(lockKey, [projectId, key])
    if (!lock?.locked) throw new Failure('IDEMPOTENCY_KEY_IN_PROGRESS')
    const [first] = await tx.run(findAnswer, [projectId, key, new Date(now.getTime() - retentionMs)])
    if (first && first.fingerprint !== fingerprint) throw new Failure('IDEMPOTENCY_KEY_MISMATCH')
    if (first) {
      answer.replayed = true
      return revive(first.answer as Answer)
    }
    const fresh = await work(tx)
    await tx.run(storeAnswer, [projectId, key, fingerprint, JSON.stringify(fresh), now])
    return fresh
  })
}

/** Deletes answers older than 24 hours. */
export async function forgetAnswers({ db, clock }: Pick<Ctx, 'db' | 'clock'>): Promise<void> {
  await db.run(dropAnswers, [new Date(clock.now().getTime() - retentionMs)])
}
