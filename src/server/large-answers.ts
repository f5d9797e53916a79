import { setImmediate } from 'node:timers/promises'
import { callerOf, nameOf, restAfterRun } from '../kit/callers.ts'
import type { Ctx } from '../kit/context.ts'
import { Failure } from '../kit/errors.ts'
import { bytesOf, type Extent, extentOf } from '../kit/json-limits.ts'
import { createShare } from '../kit/share.ts'
import { perWorld } from '../kit/world.ts'
import { createByteBudget, type Taken } from './byte-budget.ts'
import { encodeJson, isSmall } from './json.ts'

// What takes a turn among large answers.
const large = { characters: 256 * 1024, values: 20_000 }

const busy = 'Other large answers are being written at the moment: there was no turn for this one.'
const sharesOf = perWorld(() => ({
  // Of each caller one answer at a time, with what has been written of it.
  answers: createShare({ max: Number.POSITIVE_INFINITY, maxPerOwner: 1, busy }),
  runs: createShare({ max: 1, maxPerOwner: 1, busy }),
}))

/**
 * The body of an answer as JSON, in UTF-8 when it is large: then it is written in runs of some milliseconds between which others are
 * answered, and more than 256 KB in turns, of each caller one answer at a time and of all callers one run. While others call, each run is
 * followed by a rest of three times its length. What waits counts in bytes. Fails with SERVICE_UNAVAILABLE when the caller has left (`left`), and when too much waits or a turn has not
 * come after 15 s and the call only reads: one that has changed something waits as long as it takes, as it says what was done.
 */
export async function writeJson(
  ctx: Pick<Ctx, 'world' | 'account' | 'projectId' | 'actor' | 'client' | 'readSince'>,
  left: () => AbortSignal,
  value: unknown,
): Promise<string | Buffer<ArrayBuffer>> {
  if (isSmall(value)) return JSON.stringify(value)
  const extent = extentOnce(value)
  if (extent.characters <= large.characters && extent.values <= large.values) return encodeJson(value, () => setImmediate())
  const cut = new AbortController()
  const held = holdWaiting(ctx, { bytes: bytesOf(extent), cutOff: () => cut.abort() })
  const patience = { ended: AbortSignal.any([left(), cut.signal]), ...(ctx.readSince === undefined && { maxMs: undefined }) }
  const { answers, runs } = sharesOf(ctx.world)
  const begin = () => begunTurn((work) => runs(callerOf(ctx), work, patience))
  return answers(
    callerOf(ctx),
    async () => {
      let end = await begin()
      try {
        return await encodeJson(value, async (runMs) => {
          await restAfterRun(ctx, runMs)
          end()
          end = await begin()
        })
      } finally {
        end()
      }
    },
    patience,
  ).finally(held.release)
}

// The data of an item is one for all subscribers who are sent it, in results of their own.
const extents = new WeakMap<object, Extent>()

function extentOnce(value: unknown): Extent {
  const { data } = (value ?? {}) as { data?: unknown }
  const shared = typeof data === 'object' && data !== null ? data : value
  if (typeof shared !== 'object' || shared === null) return extentOf(value)
  const extent = extents.get(shared) ?? extentOf(value)
  extents.set(shared, extent)
  return extent
}

// A value takes about twice its text in memory.
const megabyte = 1024 * 1024
const plan = {
  max: 96 * megabyte,
  maxAtOnce: 192 * megabyte,
  maxPerOwner: 32 * megabyte,
  maxPerOwnerAtOnce: 64 * megabyte,
  littlePerOwner: 4 * megabyte,
  oldMs: 10_000,
}

const waitingIn = perWorld(({ metrics, clock }) => {
  const waiting = createByteBudget(plan, () => clock.now().getTime())
  metrics.reserved.watch('waiting_answers', waiting)
  return waiting
})

const refusals = {
  owner: 'Large answers to this project or person, 32 MB together, wait to be written.',
  all: 'Large answers to all callers, 96 MB together, wait to be written, more than 4 MB of them to this project or person.',
}

// One that has changed something says what was done, however much waits.
function holdWaiting(
  ctx: Pick<Ctx, 'world' | 'account' | 'projectId' | 'actor' | 'client' | 'readSince'>,
  { bytes, cutOff }: { bytes: number; cutOff: () => void },
): Taken {
  const held = waitingIn(ctx.world).of([nameOf(callerOf(ctx))])
  const isRead = ctx.readSince !== undefined
  const full = isRead && held.full(0)
  if (full)
    throw new Failure('SERVICE_UNAVAILABLE', refusals[full], {
      suggestion: 'Try again in a moment, with fewer such calls at a time, or ask for fewer items at once.',
      headers: { 'Retry-After': '5' },
    })
  held.add(bytes)
  if (isRead) held.yields(cutOff)
  return held
}

// Resolves when the turn has begun, with what ends it.
function begunTurn(inShare: (work: () => Promise<void>) => Promise<void>): Promise<() => void> {
  const begun = Promise.withResolvers<() => void>()
  inShare(() => new Promise((end) => begun.resolve(end))).catch(begun.reject)
  return begun.promise
}
