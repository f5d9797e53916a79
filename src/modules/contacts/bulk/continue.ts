import { type Ctx, callIn } from '../../../kit/context.ts'
import { newId } from '../../../kit/ids.ts'
import type { Transaction } from '../../../kit/postgres/db.ts'
import type { World } from '../../../kit/world.ts'
import { hideEventsOfContacts } from '../../events/erasure/erase.ts'
import { appendEvents } from '../../events/log.ts'
import type { MatchingAmong } from '../../filters/filters.ts'
import { segmentDeleted } from '../../filters/membership.ts'
import { forgetAddresses } from '../../jobs/job.ts'
import { type Chunk, runJob } from '../../jobs/run.ts'
import type { ClaimedJob } from '../../jobs/shapes.ts'
import { untilForgotten } from '../../projects/queue/leaving.ts'
import { keepOptOuts } from '../../suppressions/opt-outs.ts'
import { conditionOf, type FrozenCondition, holdMeant, prepareAmong, requireMeant } from '../audience/audience.ts'
import { contactsPerErasure, eraseContactsQueue } from '../shapes.ts'
import { leaveSegments } from '../sql.ts'
import { type Begun, countSelected, nextBatch } from './audience.ts'
import { BulkInput, type BulkOperation, BulkPlace, BulkResult } from './shapes.ts'
import { changeSubscriptions, hideContacts, lockMeant, lockSegmentsOf, queueErasures, selectIds } from './sql.ts'

// A deletion writes more per contact, and no transaction is to be long.
const contactsPerBatch = { subscribe: 1_000, unsubscribe: 1_000, delete: 250 }
const maxListedErrors = 100

/** Continues the next bulk operation for some batches; see runJob. */
export async function continueBulk(world: World): Promise<void> {
  await runJob(world, 'bulk', chunksOf)
}

async function* chunksOf(world: World, job: ClaimedJob): AsyncGenerator<Chunk, void> {
  const { projectId } = job
  const ctx = callIn(world, { projectId, actor: { kind: 'system' } })
  const { operation, select: given } = BulkInput.parse(job.input)
  const select = { since: job.createdAt, ...given }
  let place = BulkPlace.nullable().parse(job.place) ?? { done: 0, after: '', total: await countSelected(ctx, select) }
  for (let last = false; !last; ) {
    const { ids, ...batch } = await nextBatch(ctx, select, { ...place, size: contactsPerBatch[operation] })
    const meant = select.by === 'filter' ? await meantBy(ctx, select) : null
    const before = place
    last = batch.last
    place = { ...batch.place, total: place.total }
    yield chunkOf(world, { projectId, operation, meant }, { ids, before, place, last: last && operation === 'subscribe' })
  }
  // It has ended when nothing is handed to a mail server any more for those it deleted, and no marketing for those it unsubscribed.
  await untilForgotten()
  yield { place, progress: 99, last: true, write: async (_tx, before) => doneSoFar(before, operation) }
}

/** Some contacts, and the places before and behind them. */
interface Part {
  ids: string[]
  before: BulkPlace
  place: BulkPlace
  last: boolean
}

function chunkOf(world: World, of: Omit<Order, 'ids'>, { ids, before, place, last }: Part): Chunk {
  return {
    place,
    progress: Math.min(99, Math.floor((place.done / Math.max(1, place.total)) * 100)),
    last,
    async write(tx, result) {
      const still = await stillMeant(tx, of, ids)
      return added(doneSoFar(result, of.operation), still, await write(tx, world, { ...of, ids: still }))
    },
    halves() {
      const half = Math.floor(ids.length / 2)
      const after = ids[half - 1]
      if (after === undefined) return null
      const middle = { ...before, done: before.done + half, after }
      return [
        chunkOf(world, of, { ids: ids.slice(0, half), before, place: middle, last: false }),
        chunkOf(world, of, { ids: ids.slice(half), before: middle, place, last }),
      ]
    },
  }
}

interface Order {
  projectId: string
  operation: BulkOperation
  /** Which contacts are meant; null where they were named. */
  meant: Meant | null
  ids: string[]
}

interface Meant {
  /** The condition that asks segments; null where none is asked. */
  frozen: FrozenCondition | null
  /** Which of some contacts are still meant; null where all are. */
  among: MatchingAmong | null
}

async function meantBy(ctx: Ctx, { filter, segments, since }: Extract<BulkInput['select'], { by: 'filter' }> & Begun): Promise<Meant> {
  const condition = conditionOf(filter)
  return { frozen: condition && { condition, segments, since }, among: await prepareAmong(ctx, filter, segments) }
}

// They may have been changed since they were found: nobody changes them from here until the transaction ends, nor deletes a segment
// that says who is meant, whose members are removed then.
async function stillMeant(tx: Transaction, { projectId, operation, meant }: Omit<Order, 'ids'>, ids: string[]): Promise<string[]> {
  if (!meant || ids.length === 0) return ids
  const { frozen, among } = meant
  if (frozen && !(await holdMeant(tx, projectId, frozen))) throw segmentDeleted()
  if (!among) return ids
  // They leave these, and whoever adds members locks the segment first as well.
  if (operation === 'delete') await tx.run(lockSegmentsOf, [projectId, ids])
  await tx.run(lockMeant, [projectId, ids])
  const still = await among(tx, ids)
  if (frozen) await requireMeant(tx, projectId, frozen)
  return ids.filter((id) => still.has(id))
}

/** What a batch has done: the contacts that exist, and those of them that were changed. */
interface Written {
  existing: Set<string>
  changed: number
}

async function write(tx: Transaction, world: World, order: Order): Promise<Written> {
  const { projectId, operation, ids } = order
  if (ids.length === 0) return { existing: new Set(), changed: 0 }
  const existing = new Set((await tx.run(selectIds, [projectId, ids])).map(({ id }) => id))
  const changed = operation === 'delete' ? await remove(tx, world, order) : await subscribe(tx, world, order)
  return { existing, changed: changed.length }
}

async function subscribe(tx: Transaction, world: World, { projectId, operation, ids }: Order): Promise<string[]> {
  const at = world.clock.now()
  const changed = await tx.run(changeSubscriptions, [projectId, ids, operation === 'subscribe', at])
  const name = operation === 'subscribe' ? 'contact.subscribed' : 'contact.unsubscribed'
  const lines = changed.flatMap(({ id, isFlip }) => (isFlip ? [{ name, contactId: id, data: { source: 'bulk' } }] : []))
  await appendEvents(tx, world, { projectId, at, lines })
  return changed.map(({ id }) => id)
}

async function remove(tx: Transaction, world: World, { projectId, ids }: Order): Promise<string[]> {
  const at = world.clock.now()
  await tx.run(leaveSegments, [projectId, ids])
  const hidden = await tx.run(hideContacts, [projectId, ids, at])
  const removed = hidden.map(({ id }) => id)
  if (removed.length === 0) return removed
  await keepOptOuts(tx, { world, clock: world.clock, projectId }, hidden)
  await forgetAddresses(
    tx,
    projectId,
    hidden.map(({ email }) => email),
  )
  const erasures = removed.map((contactId) => ({ contactId, erasureId: newId('erasure', at) }))
  await hideEventsOfContacts(tx, at, { projectId, erasures })
  await tx.run(queueErasures, [JSON.stringify([...inGroups(erasures, contactsPerErasure)].map((contacts) => ({ projectId, contacts })))])
  tx.afterCommit(() => world.jobs.wake(eraseContactsQueue))
  return removed
}

function* inGroups<Item>(items: Item[], size: number): Generator<Item[], void> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}

function doneSoFar(recorded: ClaimedJob['result'], operation: BulkOperation): BulkResult {
  return BulkResult.nullable().parse(recorded) ?? nothing(operation)
}

function nothing(operation: BulkOperation): BulkResult {
  return { operation, totalRequested: 0, successCount: 0, unchangedCount: 0, failureCount: 0, errors: [], errorsOmitted: 0 }
}

function added(result: BulkResult, ids: string[], { existing, changed }: Written): BulkResult {
  const missing = ids.filter((id) => !existing.has(id))
  const errors = [...result.errors, ...missing.map((contactId) => ({ contactId, email: null, error: 'There is no such contact.' }))]
  const failureCount = result.failureCount + missing.length
  return {
    operation: result.operation,
    totalRequested: result.totalRequested + ids.length,
    successCount: result.successCount + changed,
    unchangedCount: result.unchangedCount + existing.size - changed,
    failureCount,
    errors: errors.slice(0, maxListedErrors),
    errorsOmitted: failureCount - Math.min(errors.length, maxListedErrors),
  }
}
