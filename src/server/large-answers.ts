import { setImmediate } from 'node:timers/promises'
import { callerOf, restAfterRun } from '../kit/callers.ts'
import type { Ctx } from '../kit/context.ts'
import { isWithin, sizeOf } from '../kit/json-limits.ts'
import { createShare } from '../kit/share.ts'
import { perWorld } from '../kit/world.ts'
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
 * followed by a rest of three times its length. What waits counts as unread answers do. Fails with SERVICE_UNAVAILABLE when the caller has left (`left`), or when a turn has not
 * come after 15 s and the call only reads: one that has changed something waits as long as it takes, as it says what was done.
 */
export async function writeJson(
  ctx: Pick<Ctx, 'world' | 'account' | 'projectId' | 'actor' | 'client' | 'readSince' | 'expectRoom'>,
  left: () => AbortSignal,
  value: unknown,
): Promise<string | Buffer<ArrayBuffer>> {
  if (isSmall(value)) return JSON.stringify(value)
  if (isWithin(value, large)) return encodeJson(value, () => setImmediate())
  // What waits is in memory as well.
  ctx.expectRoom?.(sizeOf(value))
  const patience = { ended: left(), ...(ctx.readSince === undefined && { maxMs: undefined }) }
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
  )
}

// Resolves when the turn has begun, with what ends it.
function begunTurn(inShare: (work: () => Promise<void>) => Promise<void>): Promise<() => void> {
  const begun = Promise.withResolvers<() => void>()
  inShare(() => new Promise((end) => begun.resolve(end))).catch(begun.reject)
  return begun.promise
}
