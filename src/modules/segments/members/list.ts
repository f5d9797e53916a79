import { batch, readsBeside } from '../../../kit/batch.ts'
import { maxBodyBytes, tooManyBodies } from '../../../kit/bodies.ts'
import type { Ctx } from '../../../kit/context.ts'
import { type Connection, type ConnectionArgs, numberedPage } from '../../../kit/paging.ts'
import { perWorld } from '../../../kit/world.ts'
import { requireSegments } from '../../contacts/audience/audience.ts'
import { connectAudience, countAudience } from '../../contacts/audience/list.ts'
import { getContacts } from '../../contacts/contacts.ts'
import type { Contact, ContactFilter } from '../../contacts/shapes.ts'
import { listMatchingIds } from '../../filters/filters.ts'
import { membershipIn } from '../../filters/membership.ts'
import type { Condition } from '../../filters/shapes.ts'
import { conditionOf } from '../kinds.ts'
import { connectSegmentsByIds } from '../lists.ts'
import { getSegment } from '../segments.ts'
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
  const segment = await getSegment(ctx, { id })
  const condition = conditionOf(segment)
  const read = async ({ skip, take }: { skip: number; take: number }) => {
    const ids = condition
      ? await listMatchingIds(ctx, { condition, membership: membershipIn(ctx), limit: take, skip })
      : (await db.lists.run(selectMembers, [projectId, id, take, skip])).map((member) => member.id)
    // A shorter page would lose contacts: the next one begins after `take` of them.
    if ((await firstOfData(ctx, ids)).length < ids.length) throw tooManyBodies()
    return getContacts(ctx, ids)
  }
  return numberedPage<Contact>(search, read, () => (condition ? countAudience(ctx, condition) : Promise.resolve(segment.memberCount)))
}

/**
 * The contacts of a segment at the moment as a connection, newest contact first, those of them that a filter means; `query` says what to
 * select of each node. A page ends after about 4 MB of data. Fails with SEGMENT_NOT_FOUND and VALIDATION_ERROR for segments of the filter
 * that do not exist.
 */
export async function connectSegmentContacts(
  ctx: Call,
  segment: Pick<Segment, 'id' | 'type' | 'condition' | 'memberCount'>,
  { filter, ...args }: ConnectionArgs & { filter: ContactFilter },
  query: object,
) {
  await requireSegments(ctx, filter)
  const rule = conditionOf(segment)
  const own: Condition = rule ?? { field: `segment.${segment.id}`, operator: 'memberOfSegment' }
  const condition = filter.condition ? both(own, filter.condition) : own
  const connection = await connectAudience(ctx, { filter: { ...filter, condition }, orderBy: {} }, args, query)
  const isStored = !rule && Object.keys(filter).length === 0
  return isStored ? { ...connection, totalCount: async () => segment.memberCount } : connection
}

function both(one: Condition, other: Condition): Condition {
  return { logic: 'AND', groups: [one, other].map((conditions) => ({ filters: [], conditions })) }
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
  batch(
    async (asked: { projectId: string; contactId: string }[]) => {
      const rows = await db.run(findSegmentsOfContacts, [asked.map(({ projectId }) => projectId), asked.map(({ contactId }) => contactId)])
      const found = Map.groupBy(rows, ({ projectId, contactId }) => `${projectId} ${contactId}`)
      return asked.map(({ projectId, contactId }) => (found.get(`${projectId} ${contactId}`) ?? []).map(({ id }) => id))
    },
    maxAtOnce,
    readsBeside,
  ),
)
