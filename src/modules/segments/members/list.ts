import { batch } from '../../../kit/batch.ts'
import { maxBodyBytes, tooManyBodies } from '../../../kit/bodies.ts'
import type { Ctx } from '../../../kit/context.ts'
import { type Connection, type ConnectionArgs, connect, type IdWindow, idWindow, loadRows, numberedPage } from '../../../kit/paging.ts'
import { countOnce } from '../../../kit/postgres/totals.ts'
import { perWorld } from '../../../kit/world.ts'
import { contactColumns } from '../../contacts/contacts.ts'
import type { Contact } from '../../contacts/shapes.ts'
import { countMatches, listMatchingIds, listOldestMatchingIds } from '../../filters/filters.ts'
import { membershipIn } from '../../filters/membership.ts'
import type { Condition } from '../../filters/shapes.ts'
import { connectSegmentsByIds, getSegment } from '../segments.ts'
import type { MembersSearch, Segment } from '../shapes.ts'
import { findSegmentsOfContacts, selectDataBytes, selectMembers } from './sql.ts'

type Call = Pick<Ctx, 'world' | 'db' | 'clock' | 'projectId'>

/**
 * A page of the contacts of a segment: of a dynamic one those that match at the moment, newest contact first; of a static one
 * its members, newest member first. `total` is exact up to 100,000, above that at most 60 s old. Fails with RESOURCE_NOT_FOUND, and with
 * PAYLOAD_TOO_LARGE for more than 4 MB of data.
 */
export async function listSegmentContacts(ctx: Call, { id, ...search }: MembersSearch) {
  const { db, projectId } = ctx
  const { condition, memberCount } = await getSegment(ctx, { id })
  const read = async ({ skip, take }: { skip: number; take: number }) => {
    const ids = condition
      ? await listMatchingIds(ctx, { condition, membership: membershipIn(ctx), limit: take, skip })
      : (await db.lists.run(selectMembers, [projectId, id, take, skip])).map((member) => member.id)
    // A shorter page would lose contacts: the next one begins after `take` of them.
    if ((await firstOfData(ctx, ids)).length < ids.length) throw tooManyBodies()
    return (await loadContacts<Contact>(ctx, ids, { select: contactColumns })).rows
  }
  return numberedPage<Contact>(search, read, () => (condition ? countLive(ctx, condition) : Promise.resolve(memberCount)))
}

/**
 * The contacts of a segment at the moment as a connection, newest contact first; `query` says what to select of each node. A page
 * ends after about 4 MB of data.
 */
export async function connectSegmentContacts(
  ctx: Call,
  segment: Pick<Segment, 'id' | 'condition' | 'memberCount'>,
  args: ConnectionArgs,
  query: object,
): Promise<Connection<Contact>> {
  const condition: Condition = segment.condition ?? { field: `segment.${segment.id}`, operator: 'memberOfSegment' }
  const ids = await readIds(ctx, condition, idWindow('contact', args))
  const first = await firstOfData(ctx, ids)
  const { rows, stoppedAt = first.length < ids.length ? first.at(-1) : undefined } = await loadContacts<Contact>(ctx, first, query)
  return connect(rows, args, async () => (segment.condition ? countLive(ctx, condition) : segment.memberCount), stoppedAt)
}

async function readIds(ctx: Call, condition: Condition, { take, orderBy, where: { id = {} } }: IdWindow): Promise<string[]> {
  const question = { condition, membership: membershipIn(ctx), limit: take, before: id.lt }
  if (orderBy.id === 'asc') return listOldestMatchingIds(ctx, { ...question, after: id.gt })
  const ids = await listMatchingIds(ctx, question)
  return ids.filter((one) => id.gt === undefined || one > id.gt)
}

// Those before and at the one where 4 MB of data are passed.
async function firstOfData({ db, projectId }: Call, ids: string[]): Promise<string[]> {
  const rows = await db.lists.run(selectDataBytes, [projectId, ids])
  const bytesOf = new Map(rows.map(({ id, bytes }) => [id, bytes]))
  let before = 0
  return ids.filter((id) => {
    const fits = before < maxBodyBytes
    before += bytesOf.get(id) ?? 0
    return fits
  })
}

function loadContacts<Row extends { id: string }>({ db, projectId }: Call, ids: string[], query: object) {
  const rows = ids.map((id) => ({ id }))
  const load = (wanted: string[]) =>
    db.prisma.contact.findMany({ ...query, where: { projectId, id: { in: wanted }, deletedAt: null } }) as Promise<unknown[]>
  // Every selection of a contact contains its columns.
  return loadRows<Row>({ rows }, (wanted) => load(wanted) as Promise<Row[]>)
}

function countLive(ctx: Call, condition: Condition): Promise<number> {
  const name = JSON.stringify(['segment', ctx.projectId, condition])
  return countOnce(ctx.world, { name, count: () => countMatches(ctx, { condition, membership: membershipIn(ctx) }) })
}

/**
 * The static and the tracked segments that a contact is a member of, as a connection, newest segment first. Concurrent calls are
 * two statements.
 */
export async function connectSegmentsOfContact(
  ctx: Call,
  { id }: { id: string },
  args: ConnectionArgs,
  query: object,
): Promise<Connection<Segment>> {
  return connectSegmentsByIds(ctx, await segmentIdsOf(ctx.world)({ projectId: ctx.projectId, contactId: id }), args, query)
}

const maxAtOnce = 500

const segmentIdsOf = perWorld(({ db }) =>
  batch(async (asked: { projectId: string; contactId: string }[]) => {
    const rows = await db.run(findSegmentsOfContacts, [asked.map(({ projectId }) => projectId), asked.map(({ contactId }) => contactId)])
    const found = Map.groupBy(rows, ({ projectId, contactId }) => `${projectId} ${contactId}`)
    return asked.map(({ projectId, contactId }) => (found.get(`${projectId} ${contactId}`) ?? []).map(({ id }) => id))
  }, maxAtOnce),
)
