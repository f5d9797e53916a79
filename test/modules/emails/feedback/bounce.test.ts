import { expect, test } from 'vitest'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import { accept, sendingProject, settled, turnAndSweep } from '../../../help/mails.ts'
import { mailServer, type Refusal } from '../../../help/smtp.ts'
import { testWorld } from '../../../help/world.ts'

let refusal: Refusal | null = null
const server = await mailServer({ refuse: () => refusal, refuseData: () => refusal })
const world = await testWorld({ env: { EMAIL_TRANSPORT: server.url } })
const minute = 60_000

// Sends to a subscribed contact while the server refuses, and again after it: what the first refusal did to the contact.
async function after(answer: Refusal): Promise<{ first: string; reason: string | null; next: string; suppressed: number }> {
  const { ctx, projectId } = await sendingProject(world)
  const { id, contactId } = await accept(ctx, { subscribed: true })
  refusal = answer
  await turnAndSweep(world, minute)
  refusal = null
  const { status: first, reason } = await getEmail(ctx, { id })
  const next = await accept(ctx)
  await turnAndSweep(world, minute)
  const { subscribed } = await world.db.prisma.contact.findUniqueOrThrow({ where: { projectId_id: { projectId, id: contactId } } })
  expect(subscribed).toBe(first !== 'BOUNCED')
  await settled(ctx, next.id, first === 'BOUNCED' ? 'SUPPRESSED' : 'SENT')
  const suppressed = await world.db.prisma.suppression.count({ where: { projectId } })
  return { first, reason, next: (await getEmail(ctx, { id: next.id })).status, suppressed }
}

test.each<[string, Refusal]>([
  ['a relay that does not want us', { code: 550, message: 'relay not permitted' }],
  [
    'a sender it does not know',
    { code: 550, message: '5.1.0 <hello@demo.test>: Sender address rejected: User unknown in local recipient table' },
  ],
  ['a reputation', { code: 554, message: '5.7.1 Service unavailable; client host is listed' }],
])('%s fails the email; nobody is suppressed or unsubscribed', async (_why, answer) => {
  expect(await after(answer)).toEqual({ first: 'FAILED', reason: `${answer.code} ${answer.message}`, next: 'SENT', suppressed: 0 })
})

test.each<[string, Refusal]>([
  ['by its code', { code: 550, message: '5.1.10 Recipient address has null MX' }],
  ['by its words', { code: 550, message: 'No Such User Here' }],
])('an address that does not exist, %s, is suppressed and its contact unsubscribed', async (_by, answer) => {
  expect(await after(answer)).toEqual({ first: 'BOUNCED', reason: `${answer.code} ${answer.message}`, next: 'SUPPRESSED', suppressed: 1 })
})

test('an email that is too large fails with that reason', async () => {
  const answer = { code: 552, message: '5.3.4 Message size exceeds fixed limit' }
  expect(await after(answer)).toMatchObject({
    first: 'FAILED',
    reason: 'The email is too large for the mail server: 552 5.3.4 Message size exceeds fixed limit',
    suppressed: 0,
  })
})
