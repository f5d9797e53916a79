import { expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import type { FieldFilter } from '../../../../src/modules/filters/shapes.ts'
import { addSegmentMembers } from '../../../../src/modules/segments/members/members.ts'
import { createSegment, deleteSegment, updateSegment } from '../../../../src/modules/segments/segments.ts'
import { computeMembers, computeSegment } from '../../../../src/modules/segments/tracking/compute.ts'
import { addContacts } from '../../../help/campaigns.ts'
import { holder } from '../../../help/holder.ts'
import { logOf } from '../../../help/mails.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
const isIn = (id: string): FieldFilter => ({ field: `segment.${id}`, operator: 'memberOfSegment' })
const allBut = (id: string): FieldFilter => ({ field: `segment.${id}`, operator: 'notMemberOfSegment' })

/** A segment of all five contacts, and a tracked one of all but these, which asks for it through so many others. */
async function tracked(others: number) {
  const { ctx } = await freshProject(world)
  await addContacts(ctx, 5)
  const buyers = await createSegment(ctx, { name: 'Buyers', condition: { field: 'email', operator: 'contains', value: '@example.com' } })
  let asked = buyers.id
  for (let nth = 0; nth < others; nth++) asked = (await createSegment(ctx, { name: `S${nth}`, condition: isIn(asked) })).id
  const rest = await createSegment(ctx, { name: 'Rest', condition: allBut(asked), trackMembership: true })
  expect(await computeSegment(ctx, rest)).toEqual({ added: 0, removed: 0, total: 0 })
  const moves = async () => (await logOf(ctx)).filter(({ name }) => name.startsWith('segment.'))
  return { ctx, buyers, rest, moves }
}

test.each([0, 2])(
  'a tracked segment that leads to a deleted one, through %i others, keeps its members: not everybody enters',
  async (others) => {
    const { ctx, buyers, rest, moves } = await tracked(others)
    await deleteSegment(ctx, buyers)
    expect(await computeSegment(ctx, rest)).toEqual({ added: 0, removed: 0, total: 0 })
    expect(await moves()).toEqual([])
    // Nothing is left for another turn, which a worker would take again and again.
    expect(await computeMembers(ctx, rest.id)).toEqual({ added: 0, removed: 0, total: 0, isPartial: false })
  },
)

test('nobody enters when a segment that the condition asks for is deleted between the look and the writing', async () => {
  const { ctx, buyers, rest, moves } = await tracked(0)
  await upsertContact(ctx, { email: 'late@elsewhere.example', data: {} })
  const other = await holder(world)
  await other.run('delete from segments where id = $1', [buyers.id])
  const computing = computeSegment(ctx, rest)
  const refused = expect(computing).rejects.toMatchObject({ code: 'CONFLICT' })
  await other.waitedForOrEnded(1, computing)
  await other.commit()
  await refused
  expect(await moves()).toEqual([])
})

const nobody: FieldFilter = { field: 'email', operator: 'equals', value: 'nobody@example.org' }
const everybody: FieldFilter = { field: 'email', operator: 'contains', value: '@example.com' }
const among: ['enters' | 'leaves', 'deleted' | 'emptied', (id: string) => FieldFilter][] = [
  ['enters', 'deleted', allBut],
  ['leaves', 'deleted', isIn],
  ['enters', 'emptied', allBut],
  ['leaves', 'emptied', isIn],
]

test.each(among)(
  'nobody %s by an earlier condition of another segment, when that has let go of one which was %s',
  async (_what, how, ask) => {
    const { ctx } = await freshProject(world)
    const contacts = await addContacts(ctx, 5)
    const vips = await createSegment(ctx, { name: 'VIPs', type: 'STATIC' })
    await addSegmentMembers(ctx, { id: vips.id, emails: contacts.map(({ email }) => email) })
    const between = await createSegment(ctx, {
      name: 'Between',
      condition: { logic: 'AND', groups: [{ filters: [everybody, ask(vips.id)] }] },
    })
    const rest = await createSegment(ctx, { name: 'Rest', condition: isIn(between.id), trackMembership: true })
    const { total } = await computeSegment(ctx, rest)
    const meanwhile = async () => {
      await updateSegment(ctx, { id: between.id, condition: ask === isIn ? everybody : nobody })
      if (how === 'deleted') await deleteSegment(ctx, vips)
      await world.db.prisma.segmentMember.deleteMany({ where: { projectId: ctx.projectId, segmentId: vips.id } })
    }
    const before = (await logOf(ctx)).length
    await expect(computeSegment({ ...ctx, db: scanningAfter(ctx.db, meanwhile) }, rest)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await logOf(ctx)).toHaveLength(before)
    expect(await computeSegment(ctx, rest)).toEqual({ added: 0, removed: 0, total })
  },
)

/** A database whose next scan begins when something else has happened. */
function scanningAfter(db: Ctx['db'], meanwhile: () => Promise<void>): Ctx['db'] {
  const run: Ctx['db']['scans']['run'] = async (statement, values) => {
    await meanwhile()
    return db.scans.run(statement, values)
  }
  return Object.assign(Object.create(db), { scans: { run } })
}
