import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../../../kit/context.ts'
import { Failure, invalid } from '../../../kit/errors.ts'
import { createPortion } from '../../../kit/portion.ts'
import { createShare } from '../../../kit/share.ts'
import { perWorld } from '../../../kit/world.ts'
import { type RenewRemoval, whileRemoving } from '../../filters/removals/removals.ts'
import { customPrefix, isStandard, keyOfField } from './names.ts'
import { findLife, forgetField, isSeenByAll, removeKey } from './sql.ts'

const contactsPerBatch = 2_000
const maxBytes = 2 * 1024 * 1024
const maxRepeats = 3
const pollMs = 50
// Most statements take milliseconds; a transaction that lasts longer, such as that of a dump, writes no contacts.
const maxPolls = 40

// Each batch takes its turn among lists; this keeps one project from reading all its contacts many times at once.
const sharesOf = perWorld(() =>
  createShare({ max: Number.MAX_SAFE_INTEGER, maxPerOwner: 1, busy: 'Another field of the project is being removed at the moment.' }),
)

type Call = Pick<Ctx, 'world' | 'db' | 'clock' | 'projectId'> & Pick<Ctx, 'left' | 'rightsNow'>

/**
 * Removes a custom field: from every contact, in batches that each commit, and then its type; one field of a project at a time. A
 * value that is written meanwhile goes as well, and counts, or makes the field a new one, which stays. It is completed also when its caller has left; repeating it
 * after it was interrupted otherwise completes it. Fails with VALIDATION_ERROR for a standard field, SERVICE_UNAVAILABLE when the turn has not come after 15 s,
 * and as `rightsNow` does when its caller may not call any more by then.
 */
export async function deleteField(ctx: Call, { field }: { field: string }): Promise<{ deletedFrom: number }> {
  if (isStandard(field)) throw invalid('field', `"${field}" is a standard field, which every contact has`, 'standard_field')
  // Once it has begun it goes on when the caller has left: otherwise the values would be gone, and the field still there.
  const lasting = { ...ctx, db: ctx.db.lasting() }
  const remove = async () => {
    await ctx.rightsNow?.()
    return removeField(lasting, keyOfField(field))
  }
  return sharesOf(ctx.world)(ctx.projectId, remove, { ended: ctx.left?.() })
}

async function removeField(ctx: Call, key: string): Promise<{ deletedFrom: number }> {
  const { db, projectId } = ctx
  const [found] = await db.run(findLife, [projectId, key])
  const life = found?.life ?? null
  return whileRemoving(ctx, { projectId, field: `${customPrefix}${key}` }, async (renew) => {
    const removed = await removeFromAll(ctx, { key, life, renew })
    const [forgotten] = life === null ? [] : await db.run(forgetField, [projectId, key, life])
    if (!forgotten) return { deletedFrom: removed }
    // A write that began before may still add the key without making the field again.
    await waitForEarlierWrites(ctx, forgotten.xid)
    return { deletedFrom: removed + (await removeFromAll(ctx, { key, life: null, renew })) }
  })
}

type Batch = { ended: boolean; upTo: string | null; removed: number; changed: number; ms: number }

// Ends where the field is another one by now: this call may have stood still while another one removed it, and what was written since stays.
async function removeFromAll(
  { world, db, clock, projectId }: Call,
  { key, life, renew }: { key: string; life: string | null; renew: RenewRemoval },
): Promise<number> {
  const portion = createPortion({ first: 1 / 64, min: 1 / 128 })
  let total = 0
  let repeats = 0
  for (let after: string | null = ''; after !== null; ) {
    if (world.closing.aborted) throw new Failure('SERVICE_UNAVAILABLE', 'The field was removed from some contacts only: repeat the call.')
    const contacts = Math.ceil(contactsPerBatch * portion.share())
    await renew(life)
    // In the turns of lists, not of scans, which give way to everything else: it holds rows while it runs, and the readers of the log back.
    const [batch]: Batch[] = await db.lists.run(removeKey, [projectId, after, key, contacts, clock.now(), maxBytes, life])
    if (!batch || batch.ended) break
    portion.took(batch.ms)
    total += batch.removed
    // Of a field that is still there some may be left over: they are found once it is forgotten. Whoever writes it after that makes it anew.
    const again = batch.changed > 0 && (life === null || repeats < maxRepeats)
    repeats = again ? repeats + 1 : 0
    if (!again) after = batch.upTo
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
