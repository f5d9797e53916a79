import type { ServerResponse } from 'node:http'
import type { Ctx } from '../kit/context.ts'
import { Failure } from '../kit/errors.ts'
import { perWorld } from '../kit/world.ts'
import { createByteBudget, type Taken } from './byte-budget.ts'
import { cutOffLate } from './deadline.ts'
import { addressOwner, keyOwner } from './places.ts'

const megabyte = 1024 * 1024
const plan = {
  max: 256 * megabyte,
  maxAtOnce: 512 * megabyte,
  maxPerOwner: 32 * megabyte,
  maxPerOwnerAtOnce: 64 * megabyte,
  littlePerOwner: megabyte,
  oldMs: 10_000,
}
const smallBytes = 64_000

type Caller = Pick<Ctx, 'world' | 'actor' | 'projectId' | 'client'>

const unreadIn = perWorld(({ metrics, clock }) => {
  const unread = createByteBudget(plan, () => clock.now().getTime())
  metrics.reserved.watch('unread_answers', unread)
  return unread
})

/** Counts what has been sent and not read, of a key or person, if it is one, and of a client address (IPv6 by /64). */
export function holdUnread({ world, ...ctx }: Caller): Taken {
  const address = addressOwner(ctx.client.address).all
  // Those without a key have nothing in common but perhaps the address.
  return unreadIn(world).of(ctx.actor.kind === 'nobody' ? [address] : [keyOwner(ctx), address])
}

/**
 * Cuts an event stream off when its reader, together with what else the key or the address has been sent, leaves more than 32 MB
 * unread, or more than a little while all readers of the process leave 256 MB; small events pass to those who read what they are sent.
 */
export function boundUnread(ctx: Caller, response: ServerResponse): void {
  const held = holdUnread(ctx)
  const cutOff = (): void => {
    ctx.world.log.info({ bufferedBytes: response.writableLength }, 'event streams: a connection was cut off because too much is unread')
    response.destroy()
  }
  held.yields(cutOff)
  const write: (chunk: string | Uint8Array, sent: () => void) => boolean = response.write.bind(response)
  // Who writes event streams passes nothing but a chunk, of the forms of write().
  response.write = (chunk: string | Uint8Array): boolean => {
    const size = Buffer.byteLength(chunk)
    if (held.full(size) && (size > smallBytes || response.writableLength > smallBytes)) cutOff()
    if (response.destroyed) return false
    held.add(size)
    return write(chunk, () => held.add(-size))
  }
  response.once('close', held.release)
}

// A caller that takes nothing for so long, or has not taken everything after so long, is gone.
const stalledMs = 60_000
const maxTakingMs = 300_000

/** Where the answer to one call is counted until its caller has read it. */
export interface AnswerRoom {
  /**
   * Takes room for a part of the answer that is about to be read, or gives it back with a negative number. Fails with SERVICE_UNAVAILABLE when earlier answers and streams of
   * the key or address have too much unread, or more than a little while all together have.
   */
  take(bytes: number): void
  /** The answer, with its size, is about to be sent: what was not taken yet is. Fails in the same way. */
  send(bytes: number): void
  /** From now on nothing fails: the call changes something, and is answered with what it has done, whatever else is unread. */
  mustAnswer(): void
}

/**
 * Counts a large answer as unread until its caller has taken it, within 5 minutes and never resting for one.
 */
export function createRoom(ctx: Caller & Pick<Ctx, 'requestId'>, response: ServerResponse): AnswerRoom {
  let held: Taken | undefined
  let taken = 0
  let isRefusable = true
  const take = (bytes: number): Taken | undefined => {
    if (response.destroyed) return
    held ??= openHeld(ctx, response, isRefusable)
    held.add(bytes)
    taken += bytes
    return held
  }
  return {
    take,
    send(bytes) {
      if (response.destroyed || (bytes <= smallBytes && taken === 0)) return
      take(bytes - taken)?.yields(() => {
        ctx.world.log.info({ bytes }, 'an answer was cut off because too much is unread, of its reader most and longest')
        response.destroy()
      })
      const deadline = cutOffLate(ctx, response, maxTakingMs)
      response.setTimeout(stalledMs, () => response.destroy())
      response.once('close', deadline.stop)
    },
    mustAnswer() {
      isRefusable = false
    },
  }
}

const refusals = {
  owner: {
    message: 'Earlier answers to this key or address, 32 MB together, have not been read yet.',
    suggestion: 'Read them first, or ask for fewer items at once.',
  },
  all: {
    message: 'All callers together have not read 256 MB of answers, more than 1 MB of them answers to this key or address.',
    suggestion: 'Read the earlier answers first: who has read them is answered at once.',
  },
}

// One answer alone is sent, however large it is.
function openHeld(ctx: Caller, response: ServerResponse, isRefusable: boolean): Taken {
  const held = holdUnread(ctx)
  const full = isRefusable && held.full(0)
  if (full) {
    const { message, suggestion } = refusals[full]
    throw new Failure('SERVICE_UNAVAILABLE', message, { suggestion, headers: { 'Retry-After': '5' } })
  }
  response.once('close', held.release)
  return held
}
