import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { freezeAudience, nextOfAudience } from '../../../../src/modules/contacts/audience/audience.ts'
import { bulkDeleteContacts, bulkUnsubscribeContacts } from '../../../../src/modules/contacts/bulk/bulk.ts'
import { upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { exportContacts } from '../../../../src/modules/contacts/export/export.ts'
import { startJobs } from '../../../../src/modules/contacts/jobs.ts'
import type { Condition } from '../../../../src/modules/filters/shapes.ts'
import { eraseMembers } from '../../../../src/modules/segments/members/erase.ts'
import { addSegmentMembers } from '../../../../src/modules/segments/members/members.ts'
import { createSegment, deleteSegment } from '../../../../src/modules/segments/segments.ts'
import { holder } from '../../../help/holder.ts'
import { contactsOf, ended } from '../../../help/imports.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
await startJobs(world)

const pro: Condition = { field: 'data.plan', operator: 'equals', value: 'pro' }
const isSubscribed: Condition = { field: 'subscribed', operator: 'equals', value: true }

async function people(at = world) {
  const project = await freshProject(at)
  const { ctx } = project
  const contact = (email: string, plan: string, subscribed = true) => upsertContact(ctx, { email, subscribed, data: { plan } })
  const made = [
    await contact('ada@a.test', 'pro'),
    await contact('bob@a.test', 'free'),
    await contact('cyd@b.test', 'pro'),
    await contact('dan@a.test', 'pro', false),
  ]
  const dynamic = await createSegment(ctx, { name: 'Pro', condition: pro })
  const fixed = await createSegment(ctx, { name: 'Chosen', type: 'STATIC' })
  await addSegmentMembers(ctx, { id: fixed.id, emails: ['ada@a.test', 'bob@a.test'] })
  const others = await createSegment(ctx, { name: 'Others', condition: { field: `segment.${fixed.id}`, operator: 'notMemberOfSegment' } })
  return { ...project, ids: made.map(({ id }) => id), dynamic, fixed, others }
}
const run = async (ctx: Ctx, queued: Promise<{ jobId: string }>) => ended(ctx, (await queued).jobId)
const remaining = async (ctx: Ctx) => Object.keys(await contactsOf(ctx)).map((email) => email.slice(0, 3))

type Made = Awaited<ReturnType<typeof people>>
const audiences: [string, (made: Made) => object, string[]][] = [
  ['the contacts that match the condition of a dynamic segment', ({ dynamic }) => ({ segmentId: dynamic.id }), ['ada', 'cyd', 'dan']],
  ['the members of a static segment', ({ fixed }) => ({ segmentId: fixed.id }), ['ada', 'bob']],
  ['the contacts that match a condition', () => ({ condition: pro }), ['ada', 'cyd', 'dan']],
  [
    'only contacts that match everything that is given',
    ({ dynamic, fixed }) => ({
      search: ' A.Test ',
      subscribed: true,
      segmentId: dynamic.id,
      condition: { field: `segment.${fixed.id}`, operator: 'notMemberOfSegment' },
    }),
    [],
  ],
  ['a part of the members of a segment', ({ dynamic }) => ({ segmentId: dynamic.id, search: 'A.TEST', subscribed: false }), ['dan']],
  ['whom `%` in the search does not match as a wildcard', ({ dynamic }) => ({ segmentId: dynamic.id, search: 'a%' }), []],
]

describe('a bulk operation with a filter', () => {
  test.each(audiences)('changes %s, and nobody else', async (_who, filter, expected) => {
    const made = await people()
    const all = await remaining(made.ctx)
    const job = await run(made.ctx, bulkDeleteContacts(made.ctx, { filter: filter(made) }))
    expect([job.state, job.progress]).toEqual(['completed', 100])
    expect(job.result).toMatchObject({ totalRequested: expected.length, successCount: expected.length, failureCount: 0 })
    expect(await remaining(made.ctx)).toEqual(all.filter((name) => !expected.includes(name)))
  })

  test('of a segment leaves out those excluded, and those that were created after the call', async () => {
    const idle = await testWorld()
    const { ctx, dynamic, ids } = await people(idle)
    const { jobId } = await bulkDeleteContacts(ctx, { filter: { segmentId: dynamic.id }, excludeIds: [ids[0] ?? ''] })
    await upsertContact(ctx, { email: 'late@a.test', data: { plan: 'pro' } })
    await startJobs(idle)
    expect((await ended(ctx, jobId)).result).toMatchObject({ totalRequested: 2, successCount: 2 })
    expect(await remaining(ctx)).toEqual(['ada', 'bob', 'lat'])
  })

  test('reaches each contact once, although what it changes no longer matches', async () => {
    const { ctx } = await freshProject(world)
    const emails = Array.from({ length: 6_100 }, (_, n) => `user${n}@example.com`)
    await Promise.all(emails.map((email, n) => upsertContact(ctx, { email, subscribed: n % 3 !== 0 })))
    const { id } = await createSegment(ctx, { name: 'Subscribed', condition: isSubscribed })
    const subscribed = emails.filter((_, n) => n % 3 !== 0).length
    const job = await run(ctx, bulkUnsubscribeContacts(ctx, { filter: { segmentId: id, condition: isSubscribed } }))
    expect(job.result).toMatchObject({ totalRequested: subscribed, successCount: subscribed, unchangedCount: 0 })
    expect(Object.values(await contactsOf(ctx)).filter((contact) => contact.subscribed)).toEqual([])
    expect((await run(ctx, bulkDeleteContacts(ctx, { filter: { segmentId: id } }))).result).toMatchObject({ totalRequested: 0 })
  })

  test.each([
    ['the segment', ({ fixed }: Made) => ({ segmentId: fixed.id })],
    [
      'a segment that its condition excludes',
      ({ fixed }: Made) => ({ condition: { field: `segment.${fixed.id}`, operator: 'notMemberOfSegment' } as const }),
    ],
    ['a segment that its segment refers to', ({ others }: Made) => ({ segmentId: others.id })],
  ])('fails, and changes nobody, when %s is deleted before the job runs', async (_what, filter) => {
    const idle = await testWorld()
    const made = await people(idle)
    const { jobId } = await bulkDeleteContacts(made.ctx, { filter: filter(made) })
    await deleteSegment(made.ctx, { id: made.fixed.id })
    await startJobs(idle)
    expect(await ended(made.ctx, jobId)).toMatchObject({
      state: 'failed',
      failedReason: 'A segment that says which contacts are meant was deleted. What was done before stays.',
    })
    expect(await remaining(made.ctx)).toHaveLength(4)
  })

  test('fails with SEGMENT_NOT_FOUND for a segment of another project, and queues nothing', async () => {
    const { ctx, projectId } = await people()
    const { dynamic } = await people()
    await expect(bulkDeleteContacts(ctx, { filter: { segmentId: dynamic.id } })).rejects.toMatchObject({ code: 'SEGMENT_NOT_FOUND' })
    await expect(exportContacts(ctx, { segmentId: dynamic.id })).rejects.toMatchObject({ code: 'SEGMENT_NOT_FOUND' })
    expect(await world.db.prisma.job.count({ where: { projectId } })).toBe(0)
  })
})

describe('an export', () => {
  test.each(audiences.filter(([, filter]) => !('condition' in filter({ dynamic: {}, fixed: {} } as Made))))(
    'has %s, oldest first',
    async (_who, filter, expected) => {
      const made = await people()
      const csv = (await Array.fromAsync((await exportContacts(made.ctx, filter(made))).pieces)).join('')
      expect(
        csv
          .split('\r\n')
          .slice(1, -1)
          .map((line) => line.slice(0, 3)),
      ).toEqual(expected)
    },
  )

  test('of a segment is read in batches by their size, and has each contact once', async () => {
    const { ctx } = await freshProject(world)
    const emails = Array.from({ length: 30 }, (_, n) => `user${n}@example.com`)
    for (const email of emails) await upsertContact(ctx, { email, data: { plan: 'pro', text: 'x'.repeat(120_000) } })
    const { id } = await createSegment(ctx, { name: 'Pro', condition: pro })
    const csv = (await Array.fromAsync((await exportContacts(ctx, { segmentId: id })).pieces)).join('')
    expect(
      csv
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[0]),
    ).toEqual(emails)
  })
})

test.each([
  ['directly', ({ fixed }: Made): Condition => ({ field: `segment.${fixed.id}`, operator: 'notMemberOfSegment' })],
  ['through another one', ({ others }: Made): Condition => ({ field: `segment.${others.id}`, operator: 'memberOfSegment' })],
])('nobody is found by a segment that is deleted with its members after it was looked up, %s', async (_how, conditionOf) => {
  const made = await people()
  const { ctx, projectId, fixed } = made
  const condition = conditionOf(made)
  const frozen = await freezeAudience(ctx, { condition })
  const other = await holder(world)
  await other.run('lock table contacts in access exclusive mode')
  const finding = nextOfAudience(ctx, { condition, ...frozen }, { after: '', limit: 10 })
  const refused = expect(finding).rejects.toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringContaining('was deleted') })
  await other.waitedFor()
  await deleteSegment(ctx, fixed)
  await eraseMembers(world, { projectId, segmentId: fixed.id })
  await other.commit()
  await refused
})
