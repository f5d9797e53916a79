import { describe, expect, test } from 'vitest'
import type { SmtpPool } from '../../../../src/kit/mailer.ts'
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

test('an email that the mail server has never seen says so, waits for a second, and its attempt is not counted', async () => {
  let renewed = 0
  let isSeen = false
  const pool: SmtpPool = {
    send: async () => ({ kind: 'accepted', response: '250 ok' }),
    check: async () => null,
    async close() {},
    maxUnderWay: () => Number.POSITIVE_INFINITY,
    connect: async () => ({
      unavailable: null,
      send: async () => (isSeen ? { kind: 'accepted', response: '250 ok' } : null),
      renew: async () => void renewed++,
      release() {},
    }),
  }
  const world = await testWorld({ mailServer: pool })
  const { ctx } = await sendingProject(world)
  const { id } = await accept(ctx)
  await turnAndSweep(world, 0)
  expect([renewed, await getEmail(ctx, { id })]).toMatchObject([
    5,
    { status: 'PENDING', attempts: 0, reason: 'The connection to the mail server ended before this email, again and again.' },
  ])
  await turnAndSweep(world, 500)
  expect(renewed).toBe(5)
  isSeen = true
  await turnAndSweep(world, 500)
  expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENT', attempts: 1, reason: null })
})
