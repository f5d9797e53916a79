import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { bulkUnsubscribeContacts } from '../../../src/modules/contacts/bulk/bulk.ts'
import { continueBulk } from '../../../src/modules/contacts/bulk/continue.ts'
import { changeContactWithin, deleteContact, getContact, updateContact, upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { sortData, sortPlainData } from '../../../src/modules/contacts/data.ts'
import { writeRows } from '../../../src/modules/contacts/import/write.ts'
import { trackEvent } from '../../../src/modules/contacts/track.ts'
import { createTemplate } from '../../../src/modules/templates/templates.ts'
import { accept, logOf, sendingProject, turnAndSweep } from '../../help/mails.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld()
const email = 'ada@example.com'
const noPatch = sortData(undefined)

/** A project with a contact that was never subscribed, because an email was sent to it. */
async function neverSubscribed() {
  const { ctx, projectId } = await sendingProject(world)
  const { contactId } = await accept(ctx, { to: email })
  await turnAndSweep(world, 0)
  return { ctx, projectId, contactId }
}

/** How marketing to an address ends, in cc or to it. */
async function marketing(ctx: Ctx, draft: object = {}) {
  const { id: template } = await createTemplate(ctx, { subject: 'News', body: 'News', from: 'hello@demo.test', type: 'MARKETING' })
  const { id } = await accept(ctx, { to: email, template, subject: undefined, body: undefined, from: undefined, ...draft })
  await turnAndSweep(world, 0)
  return world.db.prisma.email.findFirstOrThrow({ where: { projectId: ctx.projectId, id }, select: { id: true, status: true } })
}

const ways: [string, (ctx: Ctx, contactId: string) => Promise<unknown>][] = [
  ['PATCH /contacts/:id', (ctx, id) => updateContact(ctx, { id, subscribed: false })],
  ['POST /contacts', (ctx) => upsertContact(ctx, { email, subscribed: false })],
  ['/v1/track', (ctx) => trackEvent(ctx, { email, event: 'stop', subscribed: false })],
  [
    'a step of a workflow',
    (ctx, id) => ctx.db.transaction((tx) => changeContactWithin(ctx, tx, { id, patch: noPatch, subscribed: false })),
  ],
  [
    'a bulk operation',
    async (ctx, id) => {
      await bulkUnsubscribeContacts(ctx, { contactIds: [id] })
      await continueBulk(world)
    },
  ],
]

describe('a contact that was never subscribed', () => {
  test('gets marketing by a send', async () => {
    const { ctx } = await neverSubscribed()
    expect((await marketing(ctx)).status).toBe('SENT')
  })

  test.each(ways)('has opted out once it is unsubscribed by %s, without a line in the log', async (_by, unsubscribe) => {
    const { ctx, projectId, contactId } = await neverSubscribed()
    await unsubscribe(ctx, contactId)
    const { updatedAt } = await getContact(ctx, { id: contactId })
    world.clock.turn(1_000)
    await unsubscribe(ctx, contactId)
    expect((await getContact(ctx, { id: contactId })).updatedAt).toEqual(updatedAt)
    expect((await logOf(ctx)).filter(({ name }) => name.startsWith('contact.'))).toEqual([])
    expect((await marketing(ctx)).status).toBe('SUPPRESSED')
    const row = { email, subscribed: true, patch: sortPlainData({}), line: 2 }
    await world.db.transaction((tx) => writeRows(tx, world, { projectId, rows: [row] }))
    expect((await getContact(ctx, { id: contactId })).subscribed).toBe(false)
    await deleteContact(ctx, { id: contactId })
    await trackEvent(ctx, { email, event: 'seen' })
    expect((await marketing(ctx)).status).toBe('SUPPRESSED')
  })

  test.each([
    ['POST /contacts', (ctx: Ctx) => upsertContact(ctx, { email, subscribed: false })],
    ['/v1/track', (ctx: Ctx) => trackEvent(ctx, { email, event: 'seen', subscribed: false })],
    ['/v1/send', (ctx: Ctx) => accept(ctx, { to: email, subscribed: false })],
  ])('has not opted out because %s created it so', async (_by, create) => {
    const { ctx } = await sendingProject(world)
    await create(ctx)
    expect((await marketing(ctx)).status).toBe('SENT')
  })

  test('has opted out when a call unsubscribes it that is written together with the one that creates it', async () => {
    const { ctx } = await sendingProject(world)
    await Promise.all([upsertContact(ctx, { email, subscribed: false }), upsertContact(ctx, { email, subscribed: false })])
    expect((await marketing(ctx)).status).toBe('SUPPRESSED')
  })

  test('has not opted out because emails to it say, each time, that it is not subscribed', async () => {
    const { ctx } = await neverSubscribed()
    expect((await marketing(ctx, { subscribed: false })).status).toBe('SENT')
    expect((await marketing(ctx, { subscribed: false })).status).toBe('SENT')
    await upsertContact(ctx, { email, subscribed: true })
    expect((await marketing(ctx, { subscribed: false })).status).toBe('SUPPRESSED')
  })

  test('opts out with the address that it leaves in the same call, too', async () => {
    const { ctx, contactId } = await neverSubscribed()
    await updateContact(ctx, { id: contactId, email: 'new@example.com', subscribed: false })
    await trackEvent(ctx, { email, event: 'seen' })
    expect((await marketing(ctx)).status).toBe('SUPPRESSED')
    expect((await marketing(ctx, { to: 'new@example.com' })).status).toBe('SUPPRESSED')
  })

  test('is subscribed again by a call that says so', async () => {
    const { ctx, contactId } = await neverSubscribed()
    await updateContact(ctx, { id: contactId, subscribed: false })
    await updateContact(ctx, { id: contactId, subscribed: true })
    expect((await marketing(ctx)).status).toBe('SENT')
  })
})

describe('a copy of marketing', () => {
  const copies = { to: 'reader@example.com', cc: ['cy@example.com'], bcc: ['bo@example.com'] }
  const recipientsOf = async ({ projectId }: Ctx, id: string) =>
    (await world.db.prisma.capturedMail.findFirstOrThrow({ where: { projectId, emailId: id } })).to

  test('is withheld from contacts that have opted out, and from addresses whose contact had', async () => {
    const { ctx } = await sendingProject(world)
    for (const address of [...copies.cc, ...copies.bcc]) {
      const { id } = await upsertContact(ctx, { email: address })
      await updateContact(ctx, { id, subscribed: false })
      if (copies.bcc.includes(address)) await deleteContact(ctx, { id })
    }
    expect(await recipientsOf(ctx, (await marketing(ctx, copies)).id)).toEqual([copies.to])
    const { id } = await accept(ctx, copies)
    await turnAndSweep(world, 0)
    expect(await recipientsOf(ctx, id)).toEqual([copies.to, ...copies.cc, ...copies.bcc])
  })

  test('goes to who was never subscribed, to nobody’s contact, and to who came back', async () => {
    const { ctx } = await sendingProject(world)
    const [back = ''] = copies.cc
    await upsertContact(ctx, { email: back })
    const { id } = await upsertContact(ctx, { email: back, subscribed: false })
    await deleteContact(ctx, { id })
    await upsertContact(ctx, { email: back, subscribed: true })
    expect(await recipientsOf(ctx, (await marketing(ctx, copies)).id)).toEqual([copies.to, ...copies.cc, ...copies.bcc])
  })
})
