import { describe, expect, test } from 'vitest'
import { upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { recordBounce, recordTransientBounce } from '../../../src/modules/emails/feedback/record.ts'
import { createSegment } from '../../../src/modules/segments/segments.ts'
import { suppressAddress, suppressAddresses } from '../../../src/modules/suppressions/suppressions.ts'
import { asker } from '../../help/ask.ts'
import { drafted } from '../../help/campaigns.ts'
import { accept, sendingProject } from '../../help/mails.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

// What pages look up.
const { url, world } = await testServer({ env: { EMAIL_TRANSPORT: 'capture' } })

test('segments are found by name, type and tracking', async () => {
  const { ctx, secret } = await freshProject(world)
  const condition = { field: 'data.plan', operator: 'exists' as const }
  await createSegment(ctx, { name: 'Paying 100%', condition, trackMembership: true })
  await createSegment(ctx, { name: 'Guests', description: 'not paying', type: 'STATIC' })
  const names = async (filter: string) => {
    const { data } = await asker(
      url,
      secret,
    )<{ segments: { totalCount: number; nodes: { name: string }[] } }>(`{ segments(filter: ${filter}) { totalCount nodes { name } } }`)
    expect(data?.segments.totalCount).toBe(data?.segments.nodes.length)
    return data?.segments.nodes.map(({ name }) => name)
  }
  expect(await names('{ search: "PAYING" }')).toEqual(['Guests', 'Paying 100%'])
  expect(await names('{ search: "0%" }')).toEqual(['Paying 100%'])
  expect(await names('{ types: [STATIC] }')).toEqual(['Guests'])
  expect(await names('{ trackMembership: true, search: "" }')).toEqual(['Paying 100%'])
})

test('the suppression of an address in any spelling, null for none, and never that of another project', async () => {
  const [{ ctx, secret }, other] = await Promise.all([freshProject(world), freshProject(world)])
  await suppressAddresses(ctx, { emails: ['ada@example.com'] })
  const ask = async (key: string, email: string) => (await asker(url, key)(`{ suppression(email: "${email}") { email reason } }`)).data
  expect(await ask(secret, ' ADA@example.com')).toEqual({ suppression: { email: 'ada@example.com', reason: 'MANUAL' } })
  expect(await ask(secret, 'bob@example.com')).toEqual({ suppression: null })
  expect(await ask(other.secret, 'ada@example.com')).toEqual({ suppression: null })
})

test('the suppression of an address has what its server said, also of bounces that pass, and nothing for others', async () => {
  const { ctx, secret, projectId } = await sendingProject(world)
  const { id: emailId } = await accept(ctx, { to: 'gone@example.com' })
  const { id: fullId } = await accept(ctx, { to: 'full@example.com' })
  const bounce = { at: world.clock.now(), recipients: [], mailbox: true }
  await recordBounce(world, { ...bounce, email: { projectId, emailId }, reason: '550 5.1.1 No such user' })
  await recordTransientBounce(world, { ...bounce, email: { projectId, emailId: fullId }, reason: '452 4.2.2 Mailbox full' })
  await suppressAddress(ctx, { email: 'full@example.com', reason: 'BOUNCE', emailId: fullId })
  await suppressAddress(ctx, { email: 'spam@example.com', reason: 'COMPLAINT', emailId })
  await suppressAddresses(ctx, { emails: ['hand@example.com'], reason: 'BOUNCE' })
  const { data } = await asker(url, secret)('{ suppressions { nodes { email reasonText } } }')
  expect(data).toEqual({
    suppressions: {
      nodes: [
        { email: 'full@example.com', reasonText: '452 4.2.2 Mailbox full' },
        { email: 'gone@example.com', reasonText: '550 5.1.1 No such user' },
        { email: 'hand@example.com', reasonText: null },
        { email: 'spam@example.com', reasonText: null },
      ],
    },
  })
})

describe('an email that has not left', () => {
  const due = new Date('2031-01-01T00:00:00.000Z')
  test.each([
    [
      { due, waitsFor: null },
      { nextAttemptAt: due.toISOString(), waitsFor: null },
    ],
    [
      { due, waitsFor: 'WARM_UP:demo.test' },
      { nextAttemptAt: due.toISOString(), waitsFor: 'WARM_UP' },
    ],
    [
      { due, waitsFor: 'TRANSPORT', claim: 'c', worker: 'w' },
      { nextAttemptAt: null, waitsFor: null },
    ],
  ])('with %j says %j', async (delivery, shown) => {
    const { ctx, secret, projectId } = await sendingProject(world)
    const { id } = await accept(ctx)
    await world.db.prisma.delivery.update({ where: { projectId_emailId: { projectId, emailId: id } }, data: delivery })
    const { data } = await asker(url, secret)(`{ email(id: "${id}") { nextAttemptAt waitsFor } }`)
    expect(data).toEqual({ email: shown })
  })
})

test('a test of a campaign is rendered for a contact', async () => {
  const { ctx, secret, projectId } = await sendingProject(world)
  const { id } = await drafted(ctx, { subject: 'Hello {{ name }}' })
  const { id: contactId } = await upsertContact(ctx, { email: 'grace@example.com', data: { name: 'Grace' } })
  const send = (contact: string) =>
    asker(
      url,
      secret,
    )(`mutation { sendCampaignTest(input: { id: "${id}", email: "me@example.com", contactId: "${contact}" }) { __typename } }`)
  expect((await send('cnt_x')).errors[0]?.extensions.code).toBe('CONTACT_NOT_FOUND')
  expect((await send(contactId)).errors).toEqual([])
  const mails = await world.db.prisma.capturedMail.findMany({ where: { projectId }, select: { subject: true, to: true } })
  expect(mails).toEqual([{ subject: '[TEST] Hello Grace', to: ['me@example.com'] }])
})
