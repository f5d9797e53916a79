import type { ServerResponse } from 'node:http'
import type { Ctx } from '../kit/context.ts'
import { Failure } from '../kit/errors.ts'
import { perWorld } from '../kit/world.ts'
import { createAccounts, type Held } from './held-bytes.ts'
import { addressOwner, keyOwner } from './places.ts'

const megabyte = 1024 * 1024
const bounds = { max: 256 * megabyte, maxPerOwner: 32 * megabyte }
const smallBytes = 64_000

const unreadIn = perWorld(({ metrics }) => {
  const accounts = { ofKeys: createAccounts(bounds), ofAddresses: createAccounts(bounds) }
  metrics.reserved.watch('unread_answers', accounts.ofAddresses)
  return accounts
})

/** Counts what has been sent and not read, of a key or person, if it is one, and of a client address (IPv6 by /64). */
export function holdUnread({ world, ...ctx }: Pick<Ctx, 'world' | 'actor' | 'projectId' | 'client'>): Held {
  const { ofKeys, ofAddresses } = unreadIn(world)
  const ofAddress = ofAddresses.of(addressOwner(ctx.client.address).all)
  // Those without a key have nothing in common but perhaps the address.
  const both = ctx.actor.kind === 'nobody' ? [ofAddress] : [ofKeys.of(keyOwner(ctx)), ofAddress]
  return {
    add: (bytes) => both.map((held) => held.add(bytes)).every(Boolean),
    release: () => {
      for (const held of both) held.release()
    },
  }
}

/**
 * Cuts an event stream off when its reader, together with what else the key or the address has been sent, leaves more than 32 MB
 * unread, or all readers of the process 256 MB; small events pass to those who read what they are sent.
 */
export function boundUnread(ctx: Pick<Ctx, 'world' | 'actor' | 'projectId' | 'client'>, response: ServerResponse): void {
  const held = holdUnread(ctx)
  let closed = false
  const isRead = (bytes: number): void => void (closed || held.add(-bytes))
  const write: (chunk: string | Uint8Array, sent: () => void) => boolean = response.write.bind(response)
  // Who writes event streams passes nothing but a chunk, of the forms of write().
  response.write = (chunk: string | Uint8Array): boolean => {
    const size = Buffer.byteLength(chunk)
    const isRoom = held.add(size)
    if (isRoom || (size <= smallBytes && response.writableLength <= smallBytes)) return write(chunk, () => isRead(size))
    ctx.world.log.info({ bufferedBytes: response.writableLength }, 'event streams: a connection was cut off because too much is unread')
    response.destroy()
    return false
  }
  response.once('close', () => {
    closed = true
    held.release()
  })
}

// A caller that takes nothing for so long, or has not taken everything after so long, is gone.
const stalledMs = 60_000
const maxTakingMs = 300_000

/** Where the answer to one call is counted until its caller has read it. */
export interface AnswerRoom {
  /**
   * Takes room for a part of the answer that is about to be read. Fails with SERVICE_UNAVAILABLE when earlier answers and streams of
   * the key or address have too much unread.
   */
  take(bytes: number): void
  /** The answer, with its size, is about to be sent: what was not taken yet is. Fails in the same way. */
  send(bytes: number): void
}

/**
 * Counts a large answer as unread until its caller has taken it, within 5 minutes and never resting for one.
 */
export function createRoom(ctx: Pick<Ctx, 'world' | 'actor' | 'projectId' | 'client'>, response: ServerResponse): AnswerRoom {
  let held: Held | undefined
  let taken = 0
  const take = (bytes: number): void => {
    if (response.destroyed) return
    held ??= openHeld(ctx, response)
    held.add(bytes)
    taken += bytes
  }
  return {
    take,
    send(bytes) {
      if (bytes <= smallBytes && taken === 0) return
      take(bytes - taken)
      const giveUp = setTimeout(() => response.destroy(), maxTakingMs).unref()
      response.setTimeout(stalledMs, () => response.destroy())
      response.once('close', () => clearTimeout(giveUp))
    },
  }
}

// One answer alone is sent, however large it is.
function openHeld(ctx: Pick<Ctx, 'world' | 'actor' | 'projectId' | 'client'>, response: ServerResponse): Held {
  const held = holdUnread(ctx)
  if (!held.add(0))
    throw new Failure('SERVICE_UNAVAILABLE', 'Earlier answers to this key or address, 32 MB together, have not been read yet.', {
      suggestion: 'Read them first, or ask for fewer items at once.',
      headers: { 'Retry-After': '5' },
    })
  response.once('close', held.release)
  return held
}
