import { beforeEach, describe, expect, test } from 'vitest'
import { updateContact, upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { deleteField } from '../../../src/modules/contacts/fields/delete.ts'
import { startJobs } from '../../../src/modules/contacts/jobs.ts'
import { trackEvent } from '../../../src/modules/contacts/track.ts'
import { createDomain } from '../../../src/modules/domains/domains.ts'
import { sendEmail } from '../../../src/modules/emails/accept/send.ts'
import { SendDraft } from '../../../src/modules/emails/accept/shapes.ts'
import { imported } from '../../help/imports.ts'
import { freshProject, testWorld } from '../../help/world.ts'

// While a transaction that has written is open, nobody's live stream, workflow or webhook comes past it: however much data contacts have,
// none may write much of it.
const world = await testWorld()
await startJobs(world)
let project: Awaited<ReturnType<typeof freshProject>>

beforeEach(async () => {
  project = await freshProject(world)
  await createDomain(project.ctx, { domain: 'acme.test' })
})

const address = (n: number) => `c${n}@example.com`
const addresses = (count: number) => Array.from({ length: count }, (_, n) => address(n))

/** Stores contacts with `bytes` of data each. */
async function contacts(count: number, bytes: number): Promise<void> {
  const createdAt = world.clock.now()
  await world.db.prisma.contact.createMany({
    data: addresses(count).map((email, n) => ({
      projectId: project.projectId,
      id: `cnt_wide${n}${project.projectId.slice(4)}`,
      email,
      data: { text: 'x'.repeat(bytes), old: 1 },
      createdAt,
      updatedAt: createdAt,
    })),
  })
}

/** How many contacts were last written by the same transaction, at most. */
async function writtenTogether(like = '%'): Promise<number> {
  const rows = await world.db.prisma.$queryRawUnsafe<{ count: number }[]>(
    `select count(*)::int as count from contacts where project_id = '${project.projectId}' and email like '${like}' group by xmin::text order by 1 desc limit 1`,
  )
  return rows[0]?.count ?? 0
}

const send = (count: number, data: Record<string, unknown>) =>
  sendEmail(project.ctx, SendDraft.parse({ to: addresses(count), from: 'a@acme.test', subject: 'Hi', body: '<p></p>', data }))

describe('an email to many, with data to store', () => {
  const refusal = { code: 'VALIDATION_ERROR', errors: [{ field: 'to', message: expect.stringMatching(/at most 8 MB/), code: 'too_big' }] }

  test('is refused where each gets much', async () => {
    await expect(send(200, { text: 'x'.repeat(60_000) })).rejects.toMatchObject(refusal)
    expect(await world.db.prisma.contact.count({ where: { projectId: project.projectId } })).toBe(0)
    expect((await send(100, { text: 'x'.repeat(60_000) })).emails).toHaveLength(100)
    const unstored = { text: { value: 'x'.repeat(60_000), persistent: false } }
    expect((await send(200, unstored)).emails).toHaveLength(200)
  })

  test('is refused where their contacts have much already, and accepted where it changes nothing of that', async () => {
    await contacts(100, 100_000)
    await expect(send(100, { seen: true })).rejects.toMatchObject(refusal)
    await expect(send(100, { old: null })).rejects.toMatchObject(refusal)
    expect(await writtenTogether()).toBe(100)
    expect((await send(70, { seen: true })).emails).toHaveLength(70)
    expect((await send(100, {})).emails).toHaveLength(100)
  })
})

describe('contacts that have much data are written a few at a time', () => {
  test('by many calls at once', async () => {
    await contacts(60, 100_000)
    const track = (n: number) => trackEvent(project.ctx, { email: address(n), event: 'seen', data: { n } })
    await track(0)
    await Promise.all(addresses(60).map((_, n) => track(n)))
    expect(await writtenTogether()).toBeLessThanOrEqual(3)
  })

  test('and those that have little together, as they are', async () => {
    await contacts(60, 10)
    await Promise.all(addresses(60).map((_, n) => trackEvent(project.ctx, { email: address(n), event: 'seen', data: { n } })))
    expect(await writtenTogether()).toBeGreaterThan(20)
  })

  test('which counts for nobody else: not for other contacts of the project, however often one with much is written', async () => {
    await contacts(60, 10)
    const much = (data: Record<string, unknown>) =>
      trackEvent(project.ctx, { email: 'much@example.com', event: 'seen', data: data as never })
    await much({ text: 'x'.repeat(100_000) })
    for (let n = 0; n < 5; n++) await much({ n })
    await Promise.all(addresses(60).map((_, n) => trackEvent(project.ctx, { email: address(n), event: 'seen', data: { n } })))
    expect(await writtenTogether('c%')).toBeGreaterThan(20)
  })

  test('and not at all where their data stays as it is', async () => {
    await contacts(20, 100_000)
    const stored = () =>
      world.db.prisma.$queryRawUnsafe<{ email: string; chunks: string }[]>(
        `select email, pg_column_toast_chunk_id(data)::text as chunks from contacts where project_id = '${project.projectId}' order by email`,
      )
    const before = await stored()
    const change = { to: addresses(20), from: 'a@acme.test', subject: 'Hi', body: '<p></p>' }
    await sendEmail(project.ctx, SendDraft.parse({ ...change, subscribed: false }))
    const { id } = await world.db.prisma.contact.findFirstOrThrow({ where: { projectId: project.projectId, email: address(0) } })
    await updateContact(project.ctx, { id, subscribed: true })
    await upsertContact(project.ctx, { email: address(1), subscribed: true, data: { none: null } })
    const subscribed = await world.db.prisma.contact.count({ where: { projectId: project.projectId, subscribed: true } })
    const chunks = (rows: Awaited<ReturnType<typeof stored>>) => rows.filter((one) => one.email !== address(1))
    expect([subscribed, chunks(await stored())]).toEqual([2, chunks(before)])
  })

  test('by an import, which begins with little of a batch', async () => {
    await contacts(400, 10)
    const { state } = await imported(
      project.ctx,
      `email,n\n${addresses(400)
        .map((email, n) => `${email},${n}`)
        .join('\n')}\n`,
    )
    expect(state).toBe('completed')
    expect(await writtenTogether()).toBeLessThanOrEqual(200)
  })

  test('by an import whose first rows were of others, too', async () => {
    await contacts(200, 100_000)
    const before = Array.from({ length: 1_500 }, (_, n) => `${n}@first.test,${n}`)
    const rows = [...before, ...addresses(200).map((email, n) => `${email},${n}`)]
    expect((await imported(project.ctx, `email,n\n${rows.join('\n')}\n`)).state).toBe('completed')
    expect(await writtenTogether(`c%`)).toBeLessThanOrEqual(50)
  })

  test('by the removal of a field that few have before, too', async () => {
    await contacts(1_200, 10)
    await world.db.prisma.$executeRawUnsafe(
      `update contacts set data = data || jsonb_build_object('text', repeat('x', 100000)) where project_id = '${project.projectId}' and email ~ '^c11'`,
    )
    expect(await deleteField(project.ctx, { field: 'old' })).toEqual({ deletedFrom: 1_200 })
    expect(await writtenTogether('c11%')).toBeLessThanOrEqual(21)
  })

  test('by the removal of a field, which begins with little of a batch', async () => {
    await contacts(400, 10)
    expect(await deleteField(project.ctx, { field: 'old' })).toEqual({ deletedFrom: 400 })
    expect(await writtenTogether()).toBeLessThanOrEqual(256)
  })

  test('and are not compressed for that, which took most of the time', async () => {
    const [column] = await world.db.prisma.$queryRawUnsafe<{ storage: string }[]>(
      `select attstorage::text as storage from pg_attribute where attrelid = 'contacts'::regclass and attname = 'data'`,
    )
    expect(column?.storage).toBe('e')
  })
})
