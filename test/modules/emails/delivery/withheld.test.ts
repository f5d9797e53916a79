import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { bulkUnsubscribeContacts } from '../../../../src/modules/contacts/bulk/bulk.ts'
import { continueBulk } from '../../../../src/modules/contacts/bulk/continue.ts'
import { updateContact, upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { sendEmail } from '../../../../src/modules/emails/accept/send.ts'
import { SendDraft } from '../../../../src/modules/emails/accept/shapes.ts'
import { deliverClaimed } from '../../../../src/modules/emails/delivery/attempt.ts'
import { contactLinks } from '../../../../src/modules/emails/subscription/links.ts'
import { changePreferences } from '../../../../src/modules/emails/subscription/preferences.ts'
import { getJob } from '../../../../src/modules/jobs/job.ts'
import { importSuppressions } from '../../../../src/modules/suppressions/import.ts'
import { findQueued } from '../../../../src/modules/suppressions/sql.ts'
import { suppressAddresses } from '../../../../src/modules/suppressions/suppressions.ts'
import { TemplateDraft } from '../../../../src/modules/templates/shapes.ts'
import { createTemplate } from '../../../../src/modules/templates/templates.ts'
import { type HeldStep, holdingServer } from '../../../help/holding.ts'
import { accept, sendingProject, settled, turnAndSweep } from '../../../help/mails.ts'
import { claimed, twoWorkers } from '../../../help/workers.ts'

const server = await holdingServer()
const { world } = await twoWorkers({ EMAIL_TRANSPORT: server.url })
const address = 'ada@example.com'
const file = (rows: number) => ({
  bytes: Buffer.from(['email', address, ...Array.from({ length: rows - 1 }, (_, at) => `user${at}@example.com`)].join('\n')),
})

/** A way to withhold emails from a contact; it resolves with the answer. */
type Withhold = (ctx: Ctx, contactId: string) => Promise<unknown>

const ways: [string, Withhold][] = [
  ['is suppressed', (ctx) => suppressAddresses(ctx, { emails: [address] })],
  ['is suppressed with many others', (ctx) => suppressAddresses(ctx, { emails: [address, ...manyOthers] })],
  ['is on a list that is imported', (ctx) => importSuppressions(ctx, { file: file(2) })],
  ['is on a long list that is imported', (ctx) => importSuppressions(ctx, { file: file(1_500) })],
  ['is unsubscribed by its id', (ctx, id) => updateContact(ctx, { id, subscribed: false })],
  ['is unsubscribed by its address', (ctx) => upsertContact(ctx, { email: address, subscribed: false })],
  [
    'unsubscribes by one click',
    (ctx, contactId) =>
      changePreferences(ctx, {
        page: 'unsubscribe',
        token: contactLinks(world, { projectId: ctx.projectId, contactId, emailId: null }).unsubscribeUrl.replace(/^.*\//, ''),
        listUnsubscribe: 'One-Click',
      }),
  ],
  [
    'is unsubscribed in bulk',
    async (ctx, contactId) => {
      const { jobId } = await bulkUnsubscribeContacts(ctx, { contactIds: [contactId] })
      await continueBulk(world)
      expect(await getJob(ctx, { id: jobId, kind: 'bulk' })).toMatchObject({ state: 'completed' })
    },
  ],
]
const manyOthers = Array.from({ length: 150 }, (_, at) => `user${at}@example.com`)

/** Marketing to a contact that a worker has just claimed. */
async function claimedMarketing() {
  const { ctx, projectId } = await sendingProject(world)
  const { id: contactId } = await upsertContact(ctx, { email: address })
  const template = TemplateDraft.parse({ subject: 'News', body: '<p>News</p>', from: 'hello@demo.test', type: 'MARKETING' })
  const { id } = await createTemplate(ctx, template)
  await sendEmail(ctx, SendDraft.parse({ to: address, template: id }))
  return { ctx, contactId, email: await claimed(world, projectId), before: server.contents() }
}

describe.each(ways)('when a contact %s', (_what, withhold) => {
  test('what a worker has just claimed for it does not leave after the answer', async () => {
    const { ctx, contactId, email, before } = await claimedMarketing()
    await withhold(ctx, contactId)
    await deliverClaimed(world, email)
    expect(server.contents()).toBe(before)
  })
})

describe.each([ways[0], ways[6]] as typeof ways)('when a contact %s while a mail server holds its answer back', (_what, withhold) => {
  test.each<[HeldStep, number]>([
    ['<CONNECT>', 0],
    ['RCPT', 0],
    ['DATA', 0],
    ['<CONTENT>', 1],
  ])('at %s, nothing leaves after the answer', async (at, expected) => {
    const { ctx, contactId, email, before } = await claimedMarketing()
    const held = await server.hold(at)
    const delivering = deliverClaimed(world, email)
    await held.asked
    await withhold(ctx, contactId)
    const atAnswer = server.contents() - before
    held.release()
    await delivering
    expect([atAnswer, server.contents() - before]).toEqual([expected, expected])
  })
})

test('only while an email to the address is queued does the answer wait', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const isQueued = async () => (await world.db.run(findQueued, [projectId, ['nobody@example.com', address]]))[0]?.queued
  await accept(ctx, { to: 'other@example.com' })
  expect(await isQueued()).toBe(false)
  const { id } = await accept(ctx, { to: address })
  expect(await isQueued()).toBe(true)
  await turnAndSweep(world, 0)
  await settled(ctx, id, 'SENT')
  expect(await isQueued()).toBe(false)
  // Of very many not all are looked at: one of them may be to a former address.
  const to = (from: number) => Array.from({ length: 501 }, (_, n) => `many${from + n}@example.com`)
  for (const from of [0, 501]) await sendEmail(ctx, SendDraft.parse({ to: to(from), from: 'hello@demo.test', subject: 'Hi', body: 'Hi' }))
  expect(await isQueued()).toBe(true)
})
