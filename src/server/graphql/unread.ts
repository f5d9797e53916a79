import type { ServerResponse } from 'node:http'
import type { Ctx } from '../../kit/context.ts'
import { perWorld } from '../../kit/world.ts'
import { createAccounts, type Held } from '../held-bytes.ts'
import { addressOwner, keyOwner } from './places.ts'

const megabyte = 1024 * 1024
const bounds = { max: 128 * megabyte, maxPerOwner: 32 * megabyte }
const smallBytes = 64_000

const unreadIn = perWorld(() => ({ ofKeys: createAccounts(bounds), ofAddresses: createAccounts(bounds) }))

/** Counts what event streams have been sent and not read, of a key or person and of a client address (IPv6 by /64). */
export function holdUnread({ world, ...ctx }: Pick<Ctx, 'world' | 'actor' | 'projectId' | 'client'>): Held {
  const { ofKeys, ofAddresses } = unreadIn(world)
  const both = [ofKeys(keyOwner(ctx)), ofAddresses(addressOwner(ctx.client.address).all)]
  return {
    add: (bytes) => both.map((held) => held.add(bytes)).every(Boolean),
    release: () => {
      for (const held of both) held.release()
    },
  }
}

/**
 * Cuts an event stream off when its reader, together with the others of the key or of the address, leaves more than 32 MB
 * unread, or all readers of the process 128 MB; small events pass to those who read what they are sent.
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
