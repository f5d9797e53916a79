import { createRotation, type Rotation } from '../../rotation.ts'
import type { Group, Priority, User } from './shares.ts'
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

/** None yet. */
export const rotations = <C>(): Waiting<C> => ({ urgent: createRotation(), normal: createRotation(), bulk: createRotation() })

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
