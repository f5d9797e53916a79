import { createRotation, type Rotation } from '../../rotation.ts'
import { type Group, type Priority, priorities, type Shares, type User } from './shares.ts'
import type { Traffic } from './traffic.ts'

/** A connection in use, by one caller or by two whose messages follow each other. */
export interface Place<Connection> {
  connection: Connection
  /** Of its callers, in order. */
  owners: string[]
  group: Group
  /** Whose it is; in the quick group, where owners take turns, nobody's. */
  user: User
  traffic: Traffic
  /** Called when one of its callers has left it, or it is needed for a message that takes long. */
  changed?: (() => void) | undefined
}

/** A caller that waits for a place. */
export interface Waiter<Connection> {
  owner: string
  onlyQuick: boolean
  grant(place: Place<Connection>): void
  fail(error: unknown): void
}

/** The callers that wait, by priority. */
export type Waiting<Connection> = Record<Priority, Rotation<Waiter<Connection>>>

/** What waits, by priority: nothing yet. */
export const rotations = <Item extends object>(): Record<Priority, Rotation<Item>> => ({
  urgent: createRotation(),
  normal: createRotation(),
  bulk: createRotation(),
})

/**
 * Whether messages wait for one that takes long: others of its owner, who has no share beside it, or of anybody, where all connections for
 * such messages are used.
 */
export function isWaitedFor<Connection>(
  { waiting, shares }: { waiting: Record<Group, Waiting<Connection>>; shares: Shares },
  owner: string,
): boolean {
  const hasShare = (priority: Priority, of: string): boolean => shares.hasShare({ priority, owner: of })
  return priorities.some((priority) => {
    const [quick, slow] = [waiting.quick[priority], waiting.slow[priority]]
    if ((quick.has(owner) || slow.has(owner)) && !hasShare(priority, owner)) return true
    return !shares.isOpen('slow', priority) && slow.count((waiter) => hasShare(priority, waiter.owner), 1) > 0
  })
}

/** Waits until one of the callers of a place has left it, it is needed for a message that takes long, or `signal` is aborted. */
export async function nextChange<Connection>(place: Place<Connection>, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const wake = (): void => resolve()
  place.changed = wake
  signal?.addEventListener('abort', wake)
  await promise
  place.changed = undefined
  signal?.removeEventListener('abort', wake)
}
