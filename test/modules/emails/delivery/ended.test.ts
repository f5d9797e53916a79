import { describe, expect, test } from 'vitest'
import type { Handover, SmtpConnection, SmtpPool } from '../../../../src/kit/mailer.ts'
import { sendCampaign } from '../../../../src/modules/campaigns/sending/send.ts'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import { deliver, drafted, step, withContacts } from '../../../help/campaigns.ts'
import { accept, sendingProject, turnAndSweep } from '../../../help/mails.ts'
import { pipeliningServer, type Said } from '../../../help/pipelining.ts'
import { testWorld } from '../../../help/world.ts'

/** What a server says that has taken as many messages as it takes over one connection. */
const endings: [string, string, Said][] = [
  ['by 421', 'MAIL', { last: '421 4.7.0 Too many messages' }],
  ['by dropping it', 'MAIL', null],
  ['by dropping it before a content', 'DATA', null],
]

describe.each([2, 3])('a campaign over a server that ends each session after %i messages', (max) => {
  describe.each(endings)('%s', (_how, at, ending) => {
    test.each([
      ['with', true],
      ['without', false],
    ])('leaves at once, each email by one attempt, %s pipelining', async (_what, pipelining) => {
      const taken = new Map<number, number>()
      const { url } = await pipeliningServer((command, connection) => {
        if (command.startsWith('EHLO') && !pipelining) return '250 hi'
        const count = taken.get(connection) ?? 0
        if (command === '<CONTENT>') taken.set(connection, count + 1)
        return command.startsWith(at) && count === max ? ending : undefined
      })
      const world = await testWorld({ env: { EMAIL_TRANSPORT: url, SMTP_CONNECTIONS: '8' } })
      const { ctx, projectId } = await sendingProject(world)
      await withContacts(ctx, 60)
      await sendCampaign(ctx, await drafted(ctx))
      await step(world)
      await deliver(world)
      const waiting = await world.db.prisma.delivery.findMany({ where: { projectId }, select: { reason: true, attempts: true } })
      expect(waiting).toEqual([])
      const emails = await world.db.prisma.email.groupBy({ by: ['status', 'reason', 'attempts'], where: { projectId }, _count: true })
      expect(emails).toEqual([{ status: 'SENT', reason: null, attempts: 1, _count: 60 }])
      expect([...taken.values()].reduce((sum, count) => sum + count, 0)).toBe(60)
    })
  })
})

/** A pool of one connection that a test scripts; how often it was renewed. */
function scriptedPool(send: SmtpConnection['send']) {
  const used = { renewed: 0 }
  const connection: SmtpConnection = { unavailable: null, send, renew: async () => void used.renewed++, release() {} }
  const pool: SmtpPool = {
    send: async () => accepted,
    check: async () => null,
    async close() {},
    maxUnderWay: () => Number.POSITIVE_INFINITY,
    connect: async () => connection,
  }
  return { pool, used }
}

const accepted: Handover = { kind: 'accepted', response: '250 ok' }

test('an email that the mail server has never seen says so, waits for a second, and its attempt is not counted', async () => {
  let isSeen = false
  const { pool, used } = scriptedPool(async () => (isSeen ? accepted : null))
  const world = await testWorld({ mailServer: pool })
  const { ctx } = await sendingProject(world)
  const { id } = await accept(ctx)
  await turnAndSweep(world, 0)
  expect([used.renewed, await getEmail(ctx, { id })]).toMatchObject([
    5,
    { status: 'PENDING', attempts: 0, reason: 'The connection to the mail server ended before this email, again and again.' },
  ])
  await turnAndSweep(world, 500)
  expect(used.renewed).toBe(5)
  isSeen = true
  await turnAndSweep(world, 500)
  expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENT', attempts: 1, reason: null })
})

test('an email that is withheld each time, because the claims of its worker end meanwhile, is attempted for 24 hours', async () => {
  let offered = 0
  const { pool } = scriptedPool(async (_message, gate) => {
    offered++
    world.clock.turn(world.config.CLAIM_SECONDS * 1_000)
    return gate?.holds() ? accepted : null
  })
  const world = await testWorld({ mailServer: pool })
  const { ctx } = await sendingProject(world)
  const { id } = await accept(ctx)
  await turnAndSweep(world, 0)
  const reason = 'The database was too slow to tell whether this email may still be sent.'
  // On a slow machine a look at it may be out of date before it is offered.
  expect(offered).toBeLessThanOrEqual(5)
  expect([offered > 0, await getEmail(ctx, { id })]).toMatchObject([true, { status: 'PENDING', attempts: 1, reason }])
  for (let hours = 0; hours < 28; hours += 2) await turnAndSweep(world, 2 * hourMs)
  const ended = await getEmail(ctx, { id })
  expect(ended).toMatchObject({ status: 'FAILED', reason: `Given up after 24 hours and ${ended.attempts} attempts: ${reason}` })
})

test.each<[string, Said]>([
  ['by 421', { last: '421 4.7.0 Not now' }],
  ['by dropping it', null],
])('an email to a server that ends every session before its first message %s is attempted for 24 hours', async (_how, ending) => {
  const { url } = await pipeliningServer((command) => (command.startsWith('MAIL') ? ending : undefined))
  const world = await testWorld({ env: { EMAIL_TRANSPORT: url } })
  const { ctx } = await sendingProject(world)
  const { id } = await accept(ctx)
  await turnAndSweep(world, 0)
  expect(await getEmail(ctx, { id })).toMatchObject({ status: 'PENDING', attempts: 1 })
  for (let hours = 0; hours < 28; hours += 2) await turnAndSweep(world, 2 * hourMs)
  expect(await getEmail(ctx, { id })).toMatchObject({ status: 'FAILED', reason: expect.stringMatching(/^Given up after 24 hours/) })
})

const hourMs = 3_600_000
