import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import { handleOnce } from '../../../../src/modules/ses/sns/once.ts'
import { accept, logOf, sendingProject } from '../../../help/mails.ts'
import { callAt, testServer } from '../../../help/server.ts'
import { sesMail, snsTwin } from '../../../help/sns.ts'
import { until } from '../../../help/until.ts'

const sns = snsTwin()
const { url, world } = await testServer({ env: sns.env })
const post = (body: string) => callAt(url, 'POST /webhooks/sns', body, { headers: { 'content-type': 'text/plain' } })
const at = () => world.clock.now().toISOString()
const to = [{ emailAddress: 'ada@example.com' }]
const bounce = (bounceType: string) => ({ bounce: { bounceType, bounceSubType: 'General', bouncedRecipients: to, timestamp: at() } })

// As a process that stops after it has recorded what a message says, and before the message counts as handled.
async function forget(id: string): Promise<void> {
  await world.db.prisma.snsMessage.update({ where: { id }, data: { handledAt: null } })
  world.clock.turn(20_000)
}

async function reported(eventType: string, details: () => object) {
  const { ctx } = await sendingProject(world)
  const { id } = await accept(ctx, { subscribed: true })
  const MessageId = randomUUID()
  const message = { eventType, mail: sesMail(world.clock, { emailId: id }), ...details() }
  const body = sns.body(world.clock, { MessageId, Message: JSON.stringify(message) })
  const state = async () => ({
    log: (await logOf(ctx)).filter(({ name }) => name.startsWith('email.')),
    email: await getEmail(ctx, { id }),
  })
  return { MessageId, body, state }
}

test.each<[string, () => object]>([
  ['Open', () => ({ open: { userAgent: 'Mozilla/5.0' } })],
  ['Click', () => ({ click: { userAgent: 'Mozilla/5.0', link: 'https://example.com/' } })],
  ['Delivery', () => ({ delivery: { timestamp: at(), recipients: ['ada@example.com'] } })],
  ['Bounce', () => bounce('Permanent')],
  ['Bounce', () => bounce('Transient')],
  ['Complaint', () => ({ complaint: { timestamp: at(), complainedRecipients: to } })],
  ['Reject', () => ({ reject: { reason: 'Bad content' } })],
])('%s is recorded once, also when it is handled again after a process has stopped', async (type, details) => {
  const { MessageId, body, state } = await reported(type, details)
  expect((await post(body)).status).toBe(200)
  const once = await state()
  expect(once.log).toHaveLength(1)
  for (let time = 0; time < 3; time++) {
    await forget(MessageId)
    expect((await post(body)).status).toBe(200)
    expect(await state()).toEqual(once)
  }
})

test('a message that takes longer to handle than a stopped process is waited for is not begun again meanwhile', async () => {
  const handling = Promise.withResolvers<void>()
  const handle = vi.fn(() => handling.promise)
  const id = randomUUID()
  const first = handleOnce(world, { id, handle })
  await until(async () => handle.mock.calls.length === 1)
  const at = () => world.db.prisma.snsMessage.findUniqueOrThrow({ where: { id } }).then(({ claimedAt }) => claimedAt?.getTime())
  world.clock.turn(14_000)
  await until(async () => (await at()) === world.clock.now().getTime())
  world.clock.turn(14_000)
  expect(await handleOnce(world, { id, handle })).toBe('busy')
  handling.resolve()
  expect(await first).toBe('handled')
  expect(await handleOnce(world, { id, handle })).toBe('handled')
  expect(handle).toHaveBeenCalledOnce()
})

test('opens in several messages are several, also of one moment', async () => {
  const { body, state } = await reported('Open', () => ({ open: { userAgent: 'Mozilla/5.0' } }))
  const { Message } = JSON.parse(body)
  const others = Array.from({ length: 3 }, () => sns.body(world.clock, { Message }))
  for (const { status } of await Promise.all([body, ...others].map(post))) expect(status).toBe(200)
  expect((await state()).email).toMatchObject({ opens: 4 })
})
