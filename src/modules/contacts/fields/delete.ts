import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../../kit/context.ts'
import { Failure, invalid } from '../../../kit/errors.ts'
import { isStandard, keyOfField } from './names.ts'
import { forgetField, isSeenByAll, removeKey } from './sql.ts'

const contactsPerBatch = 1_000
const pollMs = 50
// Most statements take milliseconds; a transaction that lasts longer, such as that of a dump, writes no contacts.
const maxPolls = 40

/**
 * Removes a custom field: from every contact, in batches that each commit, and then its type. A value that is written meanwhile
 * goes as well, or makes the field a new one. Repeating it after a crash completes it. Fails with VALIDATION_ERROR for a standard
 * field.
 */
export async function deleteField(ctx: Pick<Ctx, 'world' | 'db' | 'clock' | 'projectId'>, { field }: { field: string }) {
  if (isStandard(field)) throw invalid('field', `"${field}" is a standard field, which every contact has`, 'standard_field')
  const key = keyOfField(field)
  const removed = await removeFromAll(ctx, key)
  const [forgotten] = await ctx.db.run(forgetField, [ctx.projectId, key])
  if (!forgotten) return { deletedFrom: removed }
  // A write that began before may still add the key without making the field again.
  await waitForEarlierWrites(ctx, forgotten.xid)
  return { deletedFrom: removed + (await removeFromAll(ctx, key)) }
}

async function removeFromAll({ world, db, clock, projectId }: Parameters<typeof deleteField>[0], key: string): Promise<number> {
  let total = 0
  for (let after: string | null = ''; after !== null; ) {
    if (world.closing.aborted) throw new Failure('SERVICE_UNAVAILABLE', 'The field was removed from some contacts only: repeat the call.')
    const [batch]: { upTo: string | null; removed: number }[] = await db.run(removeKey, [
      projectId,
      after,
      key,
      contactsPerBatch,
      clock.now(),
    ])
    total += batch?.removed ?? 0
    after = batch?.upTo ?? null
  }
  return total
}

async function waitForEarlierWrites({ db }: Pick<Ctx, 'db'>, xid: string): Promise<void> {
  for (let poll = 0; poll < maxPolls; poll++) {
    const [row] = await db.run(isSeenByAll, [xid])
    if (row?.seen) return
    await sleep(pollMs)
  }
}
