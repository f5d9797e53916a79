import type { Flush } from '../../kit/batch.ts'
import { newId } from '../../kit/ids.ts'
import { batchInLanes } from '../../kit/lanes.ts'
import type { Executor } from '../../kit/postgres/db.ts'
import type { Owners } from '../../kit/turns.ts'
import { perWorld, type World } from '../../kit/world.ts'
import { type AnswerKey, answersParameter } from '../idempotency/once.ts'
import { optOutHash } from '../suppressions/opt-outs.ts'
import { withinBounds } from './bounds.ts'
import { type DataPatch, mergePatches, type PatchMerge } from './data.ts'
import type { FieldRow } from './fields/sql.ts'
import type { SubscriptionSource } from './shapes.ts'
import {
  type WrittenContact,
  type WrittenId,
  writeContactIds,
  writeContactIdsOnce,
  writeContacts,
  writePlainContactIds,
  writePlainContactIdsOnce,
  writesAtOnce,
} from './sql.ts'
import { noteStoredBytes, rewrittenBytes } from './weights.ts'

/** A write to the contact of an address, as POST /contacts, /v1/track and /v1/send do it. */
export interface ContactWrite {
  projectId: string
  email: string
  patch: DataPatch
  /**
   * Null leaves the subscription of an existing contact unchanged. False opts an existing contact out, also one that was never subscribed,
   * but not where an email is sent to it: that often says what it is by default.
   */
  subscribed: boolean | null
  /** The subscription of a contact that this write creates, when `subscribed` is null. */
  subscribedIfNew: boolean
  source: SubscriptionSource
  /** The kind of key of the call; a session counts as the secret key. */
  keyKind: 'PUBLIC' | 'SECRET'
  at: Date
  /** Whose writes of contacts with much data count together. Default: those of the project. */
  owners?: Owners
  /** An event to log for the contact in the same statement, and the idempotency key of the call that tracks it. */
  event?: { id: string; name: string; data: object | null; key: AnswerKey | undefined }
}

interface Group {
  grp: number
  project_id: string
  email: string
  patch: Pick<DataPatch, 'set' | 'removed'>
  /** Of several writes: `patch` is what comes of it. */
  merge?: PatchMerge
  subscribed: boolean | null
  /** What the writes after the first one say of it: to them the contact exists, also where the first one creates it. */
  later: boolean | null
  /** Whether a write opts the contact out if it existed before the group, and if an earlier write of the group has created it. */
  optsOut: boolean
  optsOutIfNew: boolean
  first: ContactWrite
  at: Date
}

/** The parameters of `contactWrites` in sql.ts for a group of writes; writes to one contact are merged in order. */
export function contactParameters(world: Pick<World, 'vault'>, writes: ContactWrite[]): string[] {
  const groups = new Map<string, Group>()
  const items = writes.map((write) => itemOf(write, join(groups, write)))
  for (const group of groups.values()) if (group.merge) group.patch = group.merge.merged()
  const sent = [...groups.values()].map(({ grp, project_id, email, patch, later, optsOutIfNew, first, at }) => ({
    grp,
    project_id,
    email,
    new_id: newId('contact', first.at),
    hash: subscribesItself(first) ? null : optOutHash(world, { projectId: project_id, email }),
    set: patch.set,
    initial: initialOf(first),
    later,
    opts_out: optsOutIfNew,
    at,
  }))
  const extras: Record<string, { r: string[]; s: boolean | null; o: boolean }> = {}
  for (const [key, { patch, subscribed, optsOut }] of groups)
    if (patch.removed.length > 0 || subscribed !== null)
      extras[key] = { r: patch.removed, s: subscribed, o: optsOut && subscribed === false }
  return [JSON.stringify(sent), JSON.stringify(items), JSON.stringify(fieldsOf(writes)), JSON.stringify(extras)]
}

// Of a contact that it creates, unless its address had opted out.
const initialOf = ({ subscribed, subscribedIfNew }: ContactWrite): boolean => subscribed ?? subscribedIfNew

// A new contact of an address that had opted out is subscribed only by a call that says so for this contact.
function subscribesItself({ source, subscribed }: ContactWrite): boolean {
  return source === 'api' && subscribed === true
}

function optsOutItself({ source, subscribed }: ContactWrite): boolean {
  return source !== 'send' && subscribed === false
}

function join(groups: Map<string, Group>, write: ContactWrite): Group {
  const { projectId, email, patch, subscribed, at } = write
  const key = lockOf(write)
  const existing = groups.get(key)
  if (existing) {
    existing.merge ??= mergePatches(existing.patch)
    existing.merge.add(patch)
    existing.subscribed = subscribed ?? existing.subscribed
    existing.later = subscribed ?? existing.later
    existing.optsOut ||= optsOutItself(write)
    existing.optsOutIfNew ||= optsOutItself(write)
    existing.at = at
    return existing
  }
  const group: Group = {
    grp: groups.size,
    project_id: projectId,
    email,
    patch,
    subscribed,
    later: null,
    optsOut: optsOutItself(write),
    optsOutIfNew: false,
    first: write,
    at,
  }
  groups.set(key, group)
  return group
}

function itemOf(write: ContactWrite, { grp, first }: Group): object {
  const { subscribed, source, event, at } = write
  return {
    grp,
    at,
    ...(subscribed !== null && { subscribed, source, flip_id: newId('event', at), is_first: write === first }),
    ...(event && { event_id: event.id, event_name: event.name, event_data: event.data }),
  }
}

type FieldWrites = Pick<ContactWrite, 'projectId' | 'keyKind' | 'at'> & { patch: Pick<DataPatch, 'types'> }

// Each field once, with the type that was seen first.
function fieldsOf(writes: FieldWrites[]): FieldRow[] {
  const fields = new Map<string, FieldRow>()
  for (const { projectId, patch, keyKind, at } of writes) {
    for (const key in patch.types) {
      const name = `${projectId} ${key}`
      const type = patch.types[key] ?? 'string'
      if (!fields.has(name)) fields.set(name, { project_id: projectId, key, type, key_kind: keyKind, at })
    }
  }
  return [...fields.values()]
}

/** The parameter of `rememberFields` in fields/sql.ts for one call. */
export function fieldsParameter(write: FieldWrites): string {
  return JSON.stringify(fieldsOf([write]))
}

// Writes contacts, their fields, log lines and answers in one statement. Returns the ids of the contacts, in order.
async function writeIds(world: World, on: Executor, writes: ContactWrite[]): Promise<WrittenId[]> {
  const plain = writes.every(({ patch, subscribed }) => patch.removed.length === 0 && subscribed === null)
  const all = contactParameters(world, writes)
  const parameters = plain ? all.slice(0, 3) : all
  const keyed = writes.flatMap(({ event }) => (event?.key ? [{ key: event.key, ref: event.id }] : []))
  if (keyed.length === 0) return on.run(plain ? writePlainContactIds : writeContactIds, parameters)
  const once = plain ? writePlainContactIdsOnce : writeContactIdsOnce
  return on.run(once, [...parameters, answersParameter(keyed)])
}

const contactWriter = perWorld((world) => writerOf(world, (on, writes) => on.run(writeContacts, contactParameters(world, writes))))
const contactIdWriter = perWorld((world) => writerOf(world, (on, writes) => writeIds(world, on, writes)))

function writerOf<Out extends { bytes: number }>(
  world: World,
  write: (on: Executor, writes: ContactWrite[]) => Promise<Out[]>,
): (write: ContactWrite) => Promise<Omit<Out, 'bytes'>> {
  const on =
    (executor: Executor): Flush<ContactWrite, Omit<Out, 'bytes'>> =>
    async (writes) => {
      const written = await write(executor, writes)
      noteStoredBytes(
        world,
        writes,
        written.map(({ bytes }) => bytes),
      )
      return written.map(({ bytes: _, ...rest }) => rest)
    }
  return batchInLanes({
    flush: on(world.db.impatient),
    flushAlone: on(world.db),
    max: writesAtOnce,
    ownerOf: ({ projectId }) => projectId,
    locksOf: (one) => [lockOf(one)],
    bytesOf: ({ patch }) => patch.bytes,
    rewrittenBytesOf: (one) => rewrittenBytes(world, [one]),
    ownersOf: ({ owners, projectId }) => owners ?? projectId,
  })
}

/** The name of the contact that a write locks. */
export function lockOf({ projectId, email }: Pick<ContactWrite, 'projectId' | 'email'>): string {
  return `${projectId} ${email}`
}

/**
 * Writes one contact, in one statement with other writes that are waiting at the same time. Fails with VALIDATION_ERROR when
 * it would pass a bound of stored data.
 */
export function writeContact(world: World, write: ContactWrite): Promise<WrittenContact> {
  return withinBounds(contactWriter(world)(write))
}

/** Writes one contact like `writeContact` but returns only its id, which is cheaper and enough for most calls. */
export async function writeContactId(world: World, write: ContactWrite): Promise<string> {
  return (await withinBounds(contactIdWriter(world)(write))).id
}
