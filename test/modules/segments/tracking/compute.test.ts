import { describe, expect, test } from 'vitest'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { computeMembers, computeSegment } from '../../../../src/modules/segments/tracking/compute.ts'
import { recomputeSegments } from '../../../../src/modules/segments/tracking/recompute.ts'
import { claimSegment } from '../../../../src/modules/segments/tracking/sql.ts'
import { summariseWholeLog } from '../../../help/counted.ts'
import { holder } from '../../../help/holder.ts'
import { testServer } from '../../../help/server.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const { call, world } = await testServer()
const pro = { field: 'data.plan', operator: 'equals', value: 'pro' }
const everyMs = 5 * 60_000

async function trackedSegment(draft: object = {}) {
  const project = await freshProject(world)
  const { secret: key, projectId } = project
  const contact = (name: string, plan: string) => upsertContact(project.ctx, { email: `${name}@example.com`, data: { plan } })
  const ids = { ada: (await contact('ada', 'pro')).id, bob: (await contact('bob', 'free')).id, eve: (await contact('eve', 'pro')).id }
  const { body: segment } = await call('POST /segments', { name: 'Pro', condition: pro, trackMembership: true, ...draft }, { key })
  const compute = () => call(`POST /segments/${segment.id}/compute`, undefined, { key })
  const patch = (change: object) => call(`PATCH /segments/${segment.id}`, change, { key })
  const read = async () => (await call(`GET /segments/${segment.id}`, undefined, { key })).body
  const lines = async () => {
    const rows = await world.db.prisma.event.findMany({ where: { projectId, name: { startsWith: 'segment.' } }, orderBy: { id: 'asc' } })
    return rows.map(({ name, contactId }) => [name, contactId])
  }
  const members = async () =>
    (await world.db.prisma.segmentMember.findMany({ where: { projectId }, orderBy: { contactId: 'asc' } })).map(
      ({ contactId }) => contactId,
    )
  return { ...project, key, ids, contact, segment, compute, patch, read, lines, members }
}

test('recomputeSegments takes no static segment: there is nothing to compute', async () => {
  const { projectId, secret: key } = await freshProject(world)
  const { body } = await call('POST /segments', { name: 'Static', type: 'STATIC' }, { key })
  const stored = () => world.db.prisma.segment.findUniqueOrThrow({ where: { projectId_id: { projectId, id: body.id } } })
  const { dueAt } = await stored()
  world.clock.turn(2 * everyMs)
  await recomputeSegments(world)
  expect((await stored()).dueAt).toEqual(dueAt)
})

describe('POST /segments/:id/compute', () => {
  test('200 stores who entered and left, and logs each once; the first computation logs the entry of all members', async () => {
    const { ids, contact, segment, compute, read, lines, members, projectId } = await trackedSegment()
    const first = await compute()
    expect([first.status, first.body]).toEqual([200, { added: 2, removed: 0, total: 2 }])
    await contact('bob', 'pro')
    await contact('ada', 'free')
    expect((await compute()).body).toEqual({ added: 1, removed: 1, total: 2 })
    expect((await compute()).body).toEqual({ added: 0, removed: 0, total: 2 })
    expect(await members()).toEqual([ids.bob, ids.eve])
    const logged = await lines()
    expect(logged.slice(0, 2).toSorted()).toEqual([
      ['segment.pro.entry', ids.ada],
      ['segment.pro.entry', ids.eve],
    ])
    expect(logged.slice(2)).toEqual([
      ['segment.pro.exit', ids.ada],
      ['segment.pro.entry', ids.bob],
    ])
    const [line] = await world.db.prisma.event.findMany({ where: { projectId, name: 'segment.pro.exit' } })
    expect(line?.data).toEqual({ segmentId: segment.id, segmentName: 'Pro' })
    expect((await read()).memberCount).toBe(2)
  })

  test('the events are named after the name as it is now', async () => {
    const { contact, compute, patch, lines } = await trackedSegment()
    await compute()
    await patch({ name: 'Paying' })
    await contact('bob', 'pro')
    await compute()
    expect((await lines()).map(([name]) => name)).toEqual(['segment.pro.entry', 'segment.pro.entry', 'segment.paying.entry'])
  })

  test('a deleted contact leaves without a line', async () => {
    const { key, ids, compute, lines, members } = await trackedSegment()
    await compute()
    await call(`DELETE /contacts/${ids.ada}`, undefined, { key })
    expect((await compute()).body).toEqual({ added: 0, removed: 0, total: 1 })
    expect(await members()).toEqual([ids.eve])
    expect((await lines()).filter(([name]) => name === 'segment.pro.exit')).toEqual([])
  })

  test('members are kept while tracking is off, and only what changed meanwhile is logged when it is on again', async () => {
    const { ids, contact, compute, patch, lines } = await trackedSegment()
    await compute()
    await patch({ trackMembership: false })
    await contact('ada', 'free')
    expect((await compute()).status).toBe(409)
    await patch({ trackMembership: true })
    expect((await compute()).body).toEqual({ added: 0, removed: 1, total: 1 })
    expect((await lines()).slice(2)).toEqual([['segment.pro.exit', ids.ada]])
  })

  test('409 for a segment that is not tracked, 404 for one that does not exist', async () => {
    const { key, patch, compute } = await trackedSegment()
    await patch({ trackMembership: false })
    const answer = await compute()
    expect([answer.status, answer.body.error.code]).toEqual([409, 'CONFLICT'])
    expect((await call('POST /segments/seg_x/compute', undefined, { key })).status).toBe(404)
  })

  test('3,000 contacts that enter in several batches are each logged once, also when two processes compute at once', async () => {
    const { projectId, ctx, segment, read, lines } = await trackedSegment({
      condition: { field: 'email', operator: 'contains', value: 'many' },
    })
    const at = world.clock.now()
    const rows = Array.from({ length: 3_000 }, (_, n) => ({
      projectId,
      id: `cnt_${String(n).padStart(26, '0')}`,
      email: `many${n}@example.com`,
      createdAt: at,
      updatedAt: at,
    }))
    await world.db.prisma.contact.createMany({ data: rows })
    const other = await testWorld({ databaseUrl: world.databaseUrl })
    const outcomes = await Promise.all([
      computeMembers(ctx, segment.id),
      computeMembers({ ...ctx, world: other, db: other.db }, segment.id),
    ])
    expect(outcomes.filter(Boolean)).toEqual([{ added: 3_000, removed: 0, total: 3_000, isPartial: false }])
    const logged = (await lines()).map(([, contactId]) => contactId)
    expect([logged.length, new Set(logged).size, (await read()).memberCount]).toEqual([3_000, 3_000, 3_000])
  })

  test('a computation that died is taken over after a minute', async () => {
    const { projectId, ctx, segment } = await trackedSegment()
    await world.db.run(claimSegment, [projectId, segment.id, 'clm_dead', 60, world.clock.aheadMs])
    await expect(computeSegment(ctx, segment)).rejects.toMatchObject({ code: 'CONFLICT' })
    world.clock.turn(61_000)
    expect(await computeSegment(ctx, segment)).toEqual({ added: 2, removed: 0, total: 2 })
  })

  test('another condition ends a computation that is under way, so that it writes nothing that is no longer true', async () => {
    const { ctx, projectId, segment, patch, lines } = await trackedSegment()
    const db = { ...world.db }
    const late = { ...ctx, db }
    db.transaction = async (work) => {
      db.transaction = world.db.transaction
      await patch({ condition: { ...pro, value: 'free' } })
      return world.db.transaction(work)
    }
    expect(await computeMembers(late, segment.id)).toBeNull()
    expect([await lines(), await world.db.prisma.segmentMember.count({ where: { projectId } })]).toEqual([[], 0])
  })
})

test('POST /segments/:id/refresh counts again, logs nothing and changes no membership', async () => {
  const { key, contact, segment, read, lines, members } = await trackedSegment()
  await contact('bob', 'pro')
  const { status, body } = await call(`POST /segments/${segment.id}/refresh`, undefined, { key })
  expect([status, body, (await read()).memberCount]).toEqual([200, { memberCount: 3 }, 3])
  expect([await lines(), await members()]).toEqual([[], []])
})

describe('workers', () => {
  test('compute tracked segments every 5 minutes and refresh the counts of the others', async () => {
    const { key, contact, read, lines } = await trackedSegment()
    const { body: plain } = await call('POST /segments', { name: 'Plain', condition: pro }, { key })
    await recomputeSegments(world)
    expect(await lines()).toHaveLength(2)
    await contact('bob', 'pro')
    await recomputeSegments(world)
    expect(await lines()).toHaveLength(2)
    world.clock.turn(everyMs)
    await recomputeSegments(world)
    expect([(await lines()).length, (await read()).memberCount]).toEqual([3, 3])
    expect((await call(`GET /segments/${plain.id}`, undefined, { key })).body.memberCount).toBe(3)
  })

  test('compute each segment once when two of them run at a time', async () => {
    const { lines } = await trackedSegment()
    const other = await testWorld({ databaseUrl: world.databaseUrl })
    other.clock.turn(world.clock.aheadMs)
    await Promise.all([recomputeSegments(world), recomputeSegments(other)])
    expect(await lines()).toHaveLength(2)
  })

  test('leave suspended projects alone', async () => {
    const { projectId, lines } = await trackedSegment()
    await world.db.prisma.project.update({ where: { id: projectId }, data: { disabled: true } })
    await recomputeSegments(world)
    expect(await lines()).toEqual([])
  })
})

test('who does not match any more when the members are written has not entered', async () => {
  const condition = {
    logic: 'AND',
    groups: [{ filters: [pro, { field: 'event.seen', operator: 'triggered' }] }],
  }
  const { ctx, ids, contact, segment, compute, members, lines } = await trackedSegment({ condition })
  for (const name of ['ada', 'eve'])
    await trackEvent(ctx, { email: `${name}@example.com`, event: 'seen' } as Parameters<typeof trackEvent>[1])
  await summariseWholeLog(world)
  const [reading, writing] = [await holder(world), await holder(world)]
  await reading.run('lock table contact_events in access exclusive mode')
  const computed = compute()
  await reading.waitedFor()
  await writing.run('select 1 from segments where id = $1 for update', [segment.id])
  await reading.commit()
  await writing.waitedFor()
  await contact('ada', 'free')
  await writing.commit()
  expect((await computed).body).toMatchObject({ added: 1, total: 1 })
  expect([await members(), await lines()]).toEqual([[ids.eve], [['segment.pro.entry', ids.eve]]])
})
