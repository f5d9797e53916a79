import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { changeSubscription, deleteContact, updateContact, upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { sortPlainData } from '../../../src/modules/contacts/data.ts'
import { writeRows } from '../../../src/modules/contacts/import/write.ts'
import { trackEvent } from '../../../src/modules/contacts/track.ts'
import { findOptedOut, optOutHash } from '../../../src/modules/suppressions/opt-outs.ts'
import { deleteSuppression, listSuppressions, suppressAddresses } from '../../../src/modules/suppressions/suppressions.ts'
import { createTemplate } from '../../../src/modules/templates/templates.ts'
import { holder } from '../../help/holder.ts'
import { accept, logOf, sendingProject, settled, turnAndSweep } from '../../help/mails.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()
const email = 'ada@example.com'
const row = { email, subscribed: null, patch: sortPlainData({ plan: 'pro' }), line: 2 }

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

  test('is that of a contact which takes the address: it is unsubscribed, the log says why, and the opt-out stays', async () => {
    const { ctx, projectId } = await freshProject(world)
    await optOutAndDelete(ctx)
    const { id } = await upsertContact(ctx, { email: 'bob@example.com' })
    const renamed = await updateContact(ctx, { id, email, data: { plan: 'pro' } })
    expect(renamed).toMatchObject({ email, subscribed: false, data: { plan: 'pro' } })
    expect((await logOf(ctx)).at(-1)).toEqual({
      name: 'contact.unsubscribed',
      data: { source: 'api', reason: 'The address had opted out before the contact took it.' },
    })
    const stored = await world.db.prisma.contact.findUniqueOrThrow({ where: { projectId_id: { projectId, id } } })
    expect(stored.optedOut).toBe(true)
    await deleteContact(ctx, { id })
    expect(await world.db.prisma.optOut.count({ where: { projectId } })).toBe(1)
    expect(await subscribedOf(ctx)).toBe(false)
  })

  test('is also that of an address which a contact that opted out has left', async () => {
    const { ctx, projectId } = await freshProject(world)
    const { id } = await upsertContact(ctx, { email })
    await changeSubscription(ctx, { id, subscribed: false, source: 'page' })
    expect(await updateContact(ctx, { id, email: 'ada@example.org' })).toMatchObject({ subscribed: false })
    expect([...(await findOptedOut(world, projectId, [email, 'ada@example.org']))]).toEqual([email])
    expect(await subscribedOf(ctx)).toBe(false)
  })

  test('stays when a contact takes the address that was unsubscribed before, and nothing is logged', async () => {
    const { ctx, projectId } = await freshProject(world)
    await optOutAndDelete(ctx)
    const { id } = await upsertContact(ctx, { email: 'bob@example.com', subscribed: false })
    const lines = await logOf(ctx)
    await updateContact(ctx, { id, email })
    expect(await logOf(ctx)).toEqual(lines)
    const stored = await world.db.prisma.contact.findUniqueOrThrow({ where: { projectId_id: { projectId, id } } })
    expect(stored).toMatchObject({ subscribed: false, optedOut: true })
  })

  test('is found also when the contact of the address is deleted while another one takes it', async () => {
    const { ctx, projectId } = await freshProject(world)
    const ada = await upsertContact(ctx, { email })
    await changeSubscription(ctx, { id: ada.id, subscribed: false, source: 'page' })
    const { id } = await upsertContact(ctx, { email: 'bob@example.com' })
    const deletion = await holder(world)
    await deletion.run('update contacts set deleted_at = now(), email = id where project_id = $1 and id = $2', [projectId, ada.id])
    const renamed = updateContact(ctx, { id, email })
    await deletion.waitedFor()
    const hash = optOutHash(world, { projectId, email })
    await deletion.run('insert into opt_outs (project_id, hash, created_at) values ($1, $2, now())', [projectId, hash])
    await deletion.commit()
    expect((await renamed).subscribed).toBe(false)
  })

  test.each([
    ['POST /contacts', (ctx: Ctx) => upsertContact(ctx, { email, data: { plan: 'pro' } })],
    ['track', (ctx: Ctx) => trackEvent(ctx, { email, event: 'seen', data: { plan: 'pro' } })],
    ['an import', ({ projectId }: Ctx) => world.db.transaction((tx) => writeRows(tx, world, { projectId, rows: [row] }))],
  ])('is found also when the contact is deleted while %s writes to its address', async (_by, write) => {
    const { ctx, projectId } = await freshProject(world)
    const { id } = await upsertContact(ctx, { email })
    await changeSubscription(ctx, { id, subscribed: false, source: 'page' })
    const deletion = await holder(world)
    await deletion.run('update contacts set deleted_at = now(), email = id where project_id = $1 and id = $2', [projectId, id])
    const written = write(ctx)
    await deletion.waitedFor()
    const hash = optOutHash(world, { projectId, email })
    await deletion.run('insert into opt_outs (project_id, hash, created_at) values ($1, $2, now())', [projectId, hash])
    await deletion.commit()
    await written
    const again = await upsertContact(ctx, { email })
    expect(again).toMatchObject({ subscribed: false, data: { plan: 'pro' }, _meta: { isNew: false } })
    expect(again.id).not.toBe(id)
  })

  test.each(['before', 'after'])(
    'ends also when the call that subscribes the contact is written %s another one, together',
    async (order) => {
      const { ctx } = await freshProject(world)
      await optOutAndDelete(ctx)
      const calls = [() => upsertContact(ctx, { email, subscribed: true }), () => upsertContact(ctx, { email, data: { plan: 'pro' } })]
      await Promise.all((order === 'after' ? calls.toReversed() : calls).map((call) => call()))
      expect(await upsertContact(ctx, { email })).toMatchObject({ subscribed: true, data: { plan: 'pro' } })
    },
  )

  test('does not unsubscribe a contact that takes the address and is subscribed by the same call, nor one that keeps its address', async () => {
    const { ctx } = await freshProject(world)
    await optOutAndDelete(ctx)
    const { id } = await upsertContact(ctx, { email: 'bob@example.com' })
    expect((await updateContact(ctx, { id, email, subscribed: true })).subscribed).toBe(true)
    expect((await updateContact(ctx, { id, email, data: { plan: 'pro' } })).subscribed).toBe(true)
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

  test('withholds marketing emails from an address that opted out before another contact took it', async () => {
    const { ctx } = await sendingProject(world)
    await optOutAndDelete(ctx)
    const { id } = await upsertContact(ctx, { email: 'bob@example.com' })
    await updateContact(ctx, { id, email })
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
