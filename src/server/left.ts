import type { ServerResponse } from 'node:http'
import { type Ctx, ownerOfConnections } from '../kit/context.ts'

// One for all: the reason that a signal has of itself is an error with a stack, which took more time than the rest of it.
const gone = new Error('The caller has left, or has its answer.')

/** A signal, made when it is first asked for, that is aborted when the caller of a request has left or has its answer. */
export function leftOf(response: ServerResponse): () => AbortSignal {
  let left: AbortController | undefined
  return () => {
    if (left) return left.signal
    const made = new AbortController()
    left = made
    if (response.destroyed) made.abort(gone)
    else response.once('close', () => made.abort(gone))
    return made.signal
  }
}

/** A context whose caller may leave: what has not begun at the database for it is given up then. */
export function untilLeft<Call extends Ctx>(ctx: Call, left: () => AbortSignal): Call {
  return { ...ctx, left, db: ctx.world.db.of(ownerOfConnections(ctx), left) }
}
