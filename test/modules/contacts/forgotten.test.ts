import { expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { bulkDeleteContacts, bulkUnsubscribeContacts, cancelBulkJob } from '../../../src/modules/contacts/bulk/bulk.ts'
import { continueBulk } from '../../../src/modules/contacts/bulk/continue.ts'
import { deleteContact, upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { startJobs } from '../../../src/modules/contacts/jobs.ts'
import { sendEmail } from '../../../src/modules/emails/accept/send.ts'
import { SendDraft } from '../../../src/modules/emails/accept/shapes.ts'
import { getJob } from '../../../src/modules/jobs/job.ts'
import { ended, imported } from '../../help/imports.ts'
import { sendingProject } from '../../help/mails.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()
const withoutWorkers = await testWorld()
await startJobs(world)

const inputsOf = async (at: typeof world, projectId: string) =>
  (await at.db.prisma.job.findMany({ where: { projectId } })).map(({ input, place }) => ({ input, place }))
const full = 'x'.repeat(128 * 1024)

test('the stored answer of a call that sent names no address, and is answered again with those of the call', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const draft = SendDraft.parse({
    to: ['Bob@example.com', 'ada@example.com', 'bob@example.com'],
    from: 'hello@demo.test',
    subject: 's',
    body: 'b',
  })
  const keyed = (): Ctx => ({ ...ctx, answer: {}, idempotency: { key: 'order', fingerprint: 'same' } })
  const first = await sendEmail(keyed(), draft)
  const stored = await world.db.prisma.idempotencyKey.findMany({ where: { projectId } })
  expect(JSON.stringify(stored)).toContain(first.emails[0]?.email)
  expect(JSON.stringify(stored)).not.toContain('@example.com')
  for (const { contact } of first.emails.slice(0, 2)) await deleteContact(ctx, contact)
  expect(await sendEmail(keyed(), draft)).toEqual(first)
})

test('a job that has ended does not keep what it was asked to do', async () => {
  const { ctx, projectId } = await freshProject(world)
  await upsertContact(ctx, { email: 'ada@example.com' })
  const filter = { search: 'ada@example.com' }
  await ended(ctx, (await bulkUnsubscribeContacts(ctx, { filter, excludeIds: [] })).jobId)
  await imported(ctx, 'email\nbob@example.com\n')
  expect(await inputsOf(world, projectId)).toEqual([1, 2].map(() => ({ input: {}, place: null })))
})

test('a job that was cancelled does not keep it either', async () => {
  const { ctx, projectId } = await freshProject(withoutWorkers)
  const job = await bulkUnsubscribeContacts(ctx, { filter: { search: 'ada@example.com' }, excludeIds: [] })
  expect(await inputsOf(withoutWorkers, projectId)).not.toEqual([{ input: {}, place: null }])
  await cancelBulkJob(ctx, job)
  expect(await inputsOf(withoutWorkers, projectId)).toEqual([{ input: {}, place: null }])
})

test('the row errors of an import name nobody who was deleted since', async () => {
  const { ctx } = await freshProject(world)
  const ids = new Map<string, string>()
  for (const email of ['ada@example.com', 'bob@bücher.example', 'eve@example.com'])
    ids.set(email, (await upsertContact(ctx, { email, data: { text: full.slice(0, 127 * 1024) } })).id)
  const rows = ['Ada@Example.com', 'bob@xn--bcher-kva.example', 'nobody', 'eve@example.com'].map((email) => `${email},${'y'.repeat(3_000)}`)
  const job = await imported(ctx, `email,more\n${rows.join('\n')}\n`)
  expect(job.result.failureCount).toBe(4)
  await deleteContact(ctx, { id: ids.get('ada@example.com') ?? '' })
  await ended(ctx, (await bulkDeleteContacts(ctx, { contactIds: [ids.get('bob@bücher.example') ?? ''] })).jobId)
  const { result } = await getJob(ctx, { id: job.id })
  expect((result as typeof job.result).errors).toEqual(
    job.result.errors.map((error) => ({ ...error, email: ['nobody', 'eve@example.com'].includes(error.email) ? error.email : '' })),
  )
})

test.each(['alone', 'with others'])('nothing of a contact that is deleted %s is left in its row', async (how) => {
  const { ctx, projectId } = await freshProject(withoutWorkers)
  const { id } = await upsertContact(ctx, { email: 'ada@example.com', data: { phone: '+44 20 7946 0000' } })
  if (how === 'alone') await deleteContact(ctx, { id })
  else {
    await bulkDeleteContacts(ctx, { contactIds: [id] })
    await continueBulk(withoutWorkers)
  }
  const [row] = await withoutWorkers.db.prisma.contact.findMany({ where: { projectId } })
  const { createdAt, updatedAt, deletedAt, ...left } = row ?? {}
  expect([createdAt, updatedAt, deletedAt].every((at) => at instanceof Date)).toBe(true)
  expect(left).toEqual({ projectId, id, email: id, subscribed: true, optedOut: false, data: {} })
})
