import { batch } from '../../kit/batch.ts'
import { newId } from '../../kit/ids.ts'
import type { Executor } from '../../kit/postgres/db.ts'
import { perWorld, type World } from '../../kit/world.ts'
import { type DataPatch, mergePatches } from './data.ts'
import type { SubscriptionSource } from './shapes.ts'
import { type WrittenContact, writeContactIds, writeContacts, writePlainContactIds, writesAtOnce } from './sql.ts'

/** A write to the contact of an address, as POST /contacts, /v1/track and /v1/send do it. */
export interface ContactWrite {
  projectId: string
  email: string
  patch: DataPatch
  /** Null leaves the subscription of an existing contact unchanged. */
  subscribed: boolean | null
  /** The subscription of a contact that this write creates, when `subscribed` is null. */
  subscribedIfNew: boolean
  source: SubscriptionSource
  at: Date
  /** An event to log for the contact in the same statement. */
  event?: { id: string; name: string; data: object | null }
}

interface Group {
  grp: number
  project_id: string
  email: string
  patch: Pick<DataPatch, 'set' | 'removed'>
  subscribed: boolean | null
  first: ContactWrite
  at: Date
}

/** The parameters of `contactWrites` in sql.ts for a group of writes; writes to one contact are merged in order. */
export function contactParameters(writes: ContactWrite[]): string[] {
  const groups = new Map<string, Group>()
  const items = writes.map((write) => itemOf(write, join(groups, write).grp))
  const sent = [...groups.values()].map(({ grp, project_id, email, patch, subscribed, first, at }) => ({
    grp,
    project_id,
    email,
    new_id: newId('contact', first.at),
    set: patch.set,
    subscribed: subscribed ?? first.subscribedIfNew,
    at,
  }))
  const extras: Record<string, { r: string[]; s: boolean | null }> = {}
  for (const [key, { patch, subscribed }] of groups)
    if (patch.removed.length > 0 || subscribed !== null) extras[key] = { r: patch.removed, s: subscribed }
  return [JSON.stringify(sent), JSON.stringify(items), JSON.stringify(fieldsOf(writes)), JSON.stringify(extras)]
}

function join(groups: Map<string, Group>, write: ContactWrite): Group {
  const { projectId, email, patch, subscribed, at } = write
  const key = `${projectId} ${email}`
  const existing = groups.get(key)
  if (existing) {
    existing.patch = mergePatches(existing.patch, patch)
    existing.subscribed = subscribed ?? existing.subscribed
    existing.at = at
    return existing
  }
  const group = { grp: groups.size, project_id: projectId, email, patch, subscribed, first: write, at }
  groups.set(key, group)
  return group
}

function itemOf({ subscribed, source, event, at }: ContactWrite, grp: number): object {
  return {
    grp,
    at,
    ...(subscribed !== null && { subscribed, source, flip_id: newId('event', at) }),
    ...(event && { event_id: event.id, event_name: event.name, event_data: event.data }),
  }
}

// Each field once, with the type that was seen first.
function fieldsOf(writes: ContactWrite[]): object[] {
  const fields = new Map<string, object>()
  for (const { projectId, patch, at } of writes) {
    for (const key in patch.types) {
      const name = `${projectId} ${key}`
      if (!fields.has(name)) fields.set(name, { project_id: projectId, key, type: patch.types[key], at })
    }
  }
  return [...fields.values()]
}

/** Writes contacts, their field types and their log lines in one statement. Returns the ids of the contacts, in order. */
export async function writeAllIds(on: Executor, writes: ContactWrite[]): Promise<string[]> {
  const plain = writes.every(({ patch, subscribed }) => patch.removed.length === 0 && subscribed === null)
  const parameters = contactParameters(writes)
  const rows = await (plain ? on.run(writePlainContactIds, parameters.slice(0, 3)) : on.run(writeContactIds, parameters))
  return rows.map(({ id }) => id)
}

const contactWriter = perWorld(({ db }) =>
  batch((writes: ContactWrite[]) => db.run(writeContacts, contactParameters(writes)), writesAtOnce),
)
const contactIdWriter = perWorld(({ db }) => batch((writes: ContactWrite[]) => writeAllIds(db, writes), writesAtOnce))

/** Writes one contact, in one statement with other writes that are waiting at the same time. */
export function writeContact(world: World, write: ContactWrite): Promise<WrittenContact> {
  return contactWriter(world)(write)
}

/** Writes one contact like `writeContact` but returns only its id, which is cheaper and enough for most calls. */
export function writeContactId(world: World, write: ContactWrite): Promise<string> {
  return contactIdWriter(world)(write)
}
