import { batch } from '../../kit/batch.ts'
import type { Executor } from '../../kit/db.ts'
import { newId } from '../../kit/ids.ts'
import { perWorld } from '../../kit/world.ts'
import { type DataPatch, mergePatches } from './data.ts'
import type { Contact, SubscriptionSource } from './shapes.ts'
import { writeContacts, writesAtOnce } from './sql.ts'

/** One write to a contact found by its address: what POST /contacts, /v1/track and /v1/send have in common. */
export interface ContactWrite {
  projectId: string
  email: string
  patch: DataPatch
  /** Null leaves an existing contact as it is. */
  subscribed: boolean | null
  /** For a contact that is made by this write when `subscribed` is null. */
  subscribedIfNew: boolean
  source: SubscriptionSource
  at: Date
  /** An event to log for the contact in the same statement. */
  event?: { id: string; name: string; data: object | null }
}

/** The contact after a write, and whether the write made it. */
export interface WrittenContact extends Contact {
  isNew: boolean
}

/** The parameters of `contactWrites` in sql.ts for a group of writes; writes to one contact are merged in order. */
export function contactParameters(writes: ContactWrite[]): unknown[] {
  const groups = new Map<
    string,
    { first: ContactWrite; last: ContactWrite; patch: Pick<DataPatch, 'set' | 'removed'>; subscribed: boolean | null; at: number }
  >()
  const groupOf = writes.map((write) => {
    const key = `${write.projectId} ${write.email}`
    const there = groups.get(key)
    const group = there
      ? { ...there, last: write, patch: mergePatches(there.patch, write.patch), subscribed: write.subscribed ?? there.subscribed }
      : { first: write, last: write, patch: write.patch, subscribed: write.subscribed, at: groups.size }
    groups.set(key, group)
    return group.at
  })
  const who = [...groups.values()]
  const extras = Object.fromEntries(
    [...groups]
      .filter(([, { patch, subscribed }]) => patch.removed.length > 0 || subscribed !== null)
      .map(([key, { patch, subscribed }]) => [key, { r: patch.removed, s: subscribed }]),
  )
  const fields = writes.flatMap((write) =>
    Object.entries(write.patch.types).map(([key, type]) => ({ projectId: write.projectId, key, type, at: write.at })),
  )
  return [
    who.map(({ at }) => at),
    who.map(({ first }) => first.projectId),
    who.map(({ first }) => first.email),
    who.map(({ first }) => newId('contact', first.at)),
    who.map(({ patch }) => JSON.stringify(patch.set)),
    who.map(({ subscribed, first }) => subscribed ?? first.subscribedIfNew),
    who.map(({ last }) => last.at),
    JSON.stringify(extras),
    groupOf,
    writes.map(({ subscribed }) => subscribed),
    writes.map((write) => newId('event', write.at)),
    writes.map(({ source }) => source),
    writes.map(({ event }) => event?.id ?? null),
    writes.map(({ event }) => event?.name ?? null),
    writes.map(({ event }) => (event?.data ? JSON.stringify(event.data) : null)),
    writes.map(({ at }) => at),
    fields.map(({ projectId }) => projectId),
    fields.map(({ key }) => key),
    fields.map(({ type }) => type),
    fields.map(({ at }) => at),
  ]
}

/** Writes contacts, their field types and their log lines in one statement; answers one result a write, in order. */
export async function writeAll(on: Executor, writes: ContactWrite[]): Promise<WrittenContact[]> {
  return on.run(writeContacts, contactParameters(writes))
}

const lane = perWorld(({ db }) => batch((writes: ContactWrite[]) => writeAll(db, writes), writesAtOnce))

/** Writes one contact, in a group with the writes that run at the same time. */
export function writeContact(world: Parameters<typeof lane>[0], write: ContactWrite): Promise<WrittenContact> {
  return lane(world)(write)
}
