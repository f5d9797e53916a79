import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { changeSubscription, deleteContact, updateContact, upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { trackEvent } from '../../../src/modules/contacts/track.ts'
import { findOptedOut } from '../../../src/modules/suppressions/opt-outs.ts'
import { deleteSuppression, listSuppressions, suppressAddresses } from '../../../src/modules/suppressions/suppressions.ts'
import { createTemplate } from '../../../src/modules/templates/templates.ts'
import { accept, sendingProject, settled, turnAndSweep } from '../../help/mails.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()
const email = 'ada@example.com'

/** Deletes a contact that has opted out, as by the button of its page. */
async function optOutAndDelete(ctx: Ctx): Promise<void> {
  const { id } = await upsertContact(ctx, { email })
  await changeSubscription(ctx, { id, subscribed: false, source: 'page' })
  await deleteContact(ctx, { id })
}

const subscribedOf = async (ctx: Ctx) => (await upsertContact(ctx, { email })).subscribed

/** How an email of each type to the address ends. */
async function sent(ctx: Ctx) {
  const outcomes: Record<string, string> = {}
  for (const type of ['TRANSACTIONAL', 'MARKETING', 'HEADLESS'] as const) {
    const template = await createTemplate(ctx, { subject: 'Hi', body: 'Hi', from: 'hello@demo.test', type })
    const { id } = await accept(ctx, { to: email, template: template.id, subject: undefined, body: undefined, from: undefined })
    await turnAndSweep(world, 0)
    outcomes[type] = (await settled(ctx, id, type === 'TRANSACTIONAL' ? 'SENT' : 'SUPPRESSED')).status
  }
  return outcomes
}

describe('the opt-out of a deleted contact', () => {
  test('stays as a keyed hash, without the address', async () => {
    const { ctx, projectId } = await freshProject(world)
    await optOutAndDelete(ctx)
    const rows = await world.db.prisma.optOut.findMany({ where: { projectId } })
    expect(rows).toEqual([{ projectId, hash: expect.stringMatching(/^[\w-]{43}$/), createdAt: expect.any(Date) }])
    expect(await findOptedOut(world, projectId, [email, 'bob@example.com'])).toEqual(new Set([email]))
    expect((await listSuppressions(ctx, { limit: 10 })).data).toEqual([])
  })

  test.each([
    ['track', (ctx: Ctx) => trackEvent(ctx, { email, event: 'seen' })],
    ['track that subscribes', (ctx: Ctx) => trackEvent(ctx, { email, event: 'seen', subscribed: true })],
    ['POST /contacts that does not say', (ctx: Ctx) => upsertContact(ctx, { email })],
  ])('makes the contact start unsubscribed when it is created again by %s', async (_by, create) => {
    const { ctx } = await freshProject(world)
    await optOutAndDelete(ctx)
    await create(ctx)
    expect(await subscribedOf(ctx)).toBe(false)
  })

  test('ends when a call creates the contact as subscribed, or subscribes it, and it is deleted again', async () => {
    const { ctx, projectId } = await freshProject(world)
    await optOutAndDelete(ctx)
    const { id, subscribed } = await upsertContact(ctx, { email, subscribed: true })
    expect(subscribed).toBe(true)
    await deleteContact(ctx, { id })
    expect(await world.db.prisma.optOut.count({ where: { projectId } })).toBe(0)
    expect(await subscribedOf(ctx)).toBe(true)
    await optOutAndDelete(ctx)
    const again = await upsertContact(ctx, { email })
    await updateContact(ctx, { id: again.id, subscribed: true })
    await deleteContact(ctx, { id: again.id })
    expect(await subscribedOf(ctx)).toBe(true)
  })

  test('survives a second deletion of the contact, and DELETE /suppressions forgets it', async () => {
    const { ctx } = await freshProject(world)
    await optOutAndDelete(ctx)
    const { id } = await upsertContact(ctx, { email })
    await deleteContact(ctx, { id })
    const again = await upsertContact(ctx, { email })
    expect(again.subscribed).toBe(false)
    await deleteContact(ctx, { id: again.id })
    await deleteSuppression(ctx, { email: 'ADA@example.com' })
    expect(await subscribedOf(ctx)).toBe(true)
  })

  test('is neither that of another address, nor of another project, nor of a contact that was never subscribed', async () => {
    const [ours, theirs] = [await sendingProject(world), await freshProject(world)]
    await optOutAndDelete(ours.ctx)
    expect((await upsertContact(ours.ctx, { email: 'bob@example.com' })).subscribed).toBe(true)
    expect(await subscribedOf(theirs.ctx)).toBe(true)
    const { contactId } = await accept(ours.ctx, { to: 'eve@example.com' })
    await deleteContact(ours.ctx, { id: contactId })
    expect((await upsertContact(ours.ctx, { email: 'eve@example.com' })).subscribed).toBe(true)
  })
})

describe('delivery', () => {
  test('withholds marketing emails from an address that opted out before its contact was deleted and made again', async () => {
    const { ctx } = await sendingProject(world)
    await optOutAndDelete(ctx)
    expect(await sent(ctx)).toEqual({ TRANSACTIONAL: 'SENT', MARKETING: 'SUPPRESSED', HEADLESS: 'SUPPRESSED' })
  })

  test('withholds marketing emails from an address with the reason UNSUBSCRIBED, and says so', async () => {
    const { ctx } = await sendingProject(world)
    await suppressAddresses(ctx, { emails: [email], reason: 'UNSUBSCRIBED' })
    expect(await sent(ctx)).toEqual({ TRANSACTIONAL: 'SENT', MARKETING: 'SUPPRESSED', HEADLESS: 'SUPPRESSED' })
  })

  test('withholds every email from an address that was put on the list', async () => {
    const { ctx } = await sendingProject(world)
    await suppressAddresses(ctx, { emails: [email] })
    const { id } = await accept(ctx, { to: email })
    await turnAndSweep(world, 0)
    expect((await settled(ctx, id, 'SUPPRESSED')).reason).toBe('The address is on the suppression list: it was put there by the project.')
  })
})
