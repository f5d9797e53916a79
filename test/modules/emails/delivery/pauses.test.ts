import { beforeEach, describe, expect, test } from 'vitest'
import { deliverClaimed } from '../../../../src/modules/emails/delivery/attempt.ts'
import { recordHandover } from '../../../../src/modules/emails/delivery/pauses.ts'
import { transportOf } from '../../../../src/modules/emails/delivery/transport.ts'
import { deliveryIdle, sweepEmails } from '../../../../src/modules/emails/delivery/worker.ts'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import { claimEmails } from '../../../../src/modules/emails/queue/claim.ts'
import type { EmailStatus } from '../../../../src/modules/emails/shapes.ts'
import { relay, turnedAway } from '../../../help/breaker.ts'
import { accept, sendingProject, turnAndSweep } from '../../../help/mails.ts'
import { type Script, scriptedServer } from '../../../help/smtp.ts'
import { until } from '../../../help/until.ts'
import { testWorld } from '../../../help/world.ts'

const polite: Record<string, string> = { '<CONNECT>': '220 hi', EHLO: '250 hi', DATA: '354 go', QUIT: '221 bye' }
/** How many messages the mail server was offered, and what it says to a recipient. */
const server = { offered: 0, recipient: (() => null) as Script }
const { url } = await scriptedServer(async (command, count) => {
  if (command === 'MAIL') server.offered++
  return (command === 'RCPT' ? await server.recipient(command, count) : null) ?? polite[command] ?? '250 ok'
})
const world = await testWorld({ env: { EMAIL_TRANSPORT: url, SMTP_CONNECTIONS: '4' } })
const minute = 60_000
const account = 'usr_a'
const ofNobody = { projectId: 'prj_x', account, established: true, domain: 'x.test' }
const noLogin = turnedAway('535 5.7.8 bad password', 'auth')

beforeEach(() => {
  Object.assign(server, { offered: 0, recipient: () => null })
})

function counts(projectId: string): (status: EmailStatus) => Promise<number> {
  return (status) => world.db.prisma.email.count({ where: { projectId, status } })
}

/** Emails of a project in a pause of its domain that began with nine failed ones. */
async function inPause(count: number) {
  const { ctx, projectId } = await sendingProject(world)
  server.recipient = () => '550 relay not permitted'
  const to = Array.from({ length: 9 + count }, (_, n) => `reader${n}@example.com`)
  await accept(ctx, { to })
  await turnAndSweep(world, 0)
  const countOf = counts(projectId)
  expect([await countOf('FAILED'), await countOf('PENDING')]).toEqual([9, count])
  return { ctx, count: countOf }
}

test('an account is established when emails of its project were accepted at least a day ago', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const established = async (): Promise<boolean | undefined> => {
    await accept(ctx)
    const [claimed] = await claimEmails(world, 'transactional', [{ projectId, after: '', want: 1 }])
    return claimed?.emails[0]?.established
  }
  const hoursAgo = (hours: number) => new Date(Date.now() + world.clock.aheadMs - hours * 60 * minute)
  expect(await established()).toBe(false)
  await world.db.prisma.reputationHour.create({ data: { projectId, hour: hoursAgo(23), sent: 500, bounces: 0, complaints: 0 } })
  await world.db.prisma.reputationHour.create({ data: { projectId, hour: hoursAgo(26), sent: 0, bounces: 1, complaints: 0 } })
  expect(await established()).toBe(false)
  await world.db.prisma.reputationHour.create({ data: { projectId, hour: hoursAgo(25), sent: 1, bounces: 0, complaints: 0 } })
  expect(await established()).toBe(true)
})

test('emails that wait for a connection when a pause begins are not offered to the mail server', async () => {
  const { ctx, projectId } = await sendingProject(world)
  await accept(ctx, { to: Array.from({ length: 40 }, (_, n) => `reader${n}@example.com`) })
  const [claimed] = await claimEmails(world, 'transactional', [{ projectId, after: '', want: 40 }])
  const transport = transportOf(world)
  const { connect } = transport
  let asked = 0
  transport.connect = (...args) => {
    asked++
    return connect(...args)
  }
  const allWait = Promise.withResolvers<void>()
  server.recipient = async () => {
    await allWait.promise
    return '550 relay not permitted'
  }
  const attempts = Promise.all((claimed?.emails ?? []).map((email) => deliverClaimed(world, email)))
  // On a slow machine one that has waited long asks again.
  await until(async () => asked >= 40)
  transport.connect = connect
  allWait.resolve()
  await attempts
  // Ten lead to the pause, when three more may be under way.
  expect(server.offered).toBeLessThanOrEqual(13)
  const count = counts(projectId)
  expect([await count('FAILED'), await count('PENDING')]).toEqual([9, 31])
})

describe('while the mail server does not answer the email that is tried after a pause', () => {
  test('a handful of the others ask again soon; when it is accepted, all go on with the next sweep', async () => {
    const { ctx, count } = await inPause(60)
    const answer = Promise.withResolvers<string | null>()
    server.recipient = () => answer.promise
    world.clock.turn(5 * minute)
    while (await sweepEmails(world));
    const waiting = () =>
      world.db.prisma.delivery.findMany({ where: { projectId: ctx.projectId, due: { not: null } }, select: { due: true } })
    await until(async () => (await waiting()).length === 59)
    const times = (await waiting()).map(({ due }) => due?.getTime() ?? 0)
    const first = Math.min(...times)
    expect(times.filter((time) => time < first + 10_000).length).toBeLessThanOrEqual(6)
    expect(Math.max(...times) - first).toBeGreaterThan(minute)
    server.recipient = () => null
    answer.resolve(null)
    await deliveryIdle(world)
    expect(await count('SENT')).toBe(1)
    await turnAndSweep(world, 0)
    expect(await count('SENT')).toBe(60)
  })
})

describe('an email that waits in a pause', () => {
  test('says what is paused', async () => {
    const { ctx } = await inPause(0)
    const { id } = await accept(ctx, { to: 'late@example.com' })
    await turnAndSweep(world, 0)
    expect(await getEmail(ctx, { id })).toMatchObject({
      status: 'PENDING',
      attempts: 0,
      reason: 'Sending from demo.test is paused, because the mail server refused one email after the other. This email waits.',
    })
    for (let n = 0; n < 10; n++) recordHandover(world, { ...ofNobody, address: `to${n}@example.com`, handover: noLogin })
    const { ctx: another } = await sendingProject(world)
    const waiting = await accept(another)
    await turnAndSweep(world, 0)
    expect(await getEmail(another, waiting)).toMatchObject({ status: 'PENDING', reason: expect.stringMatching(/^All sending is paused, /) })
    server.recipient = () => null
    await turnAndSweep(world, 6 * minute)
    for (let n = 0; n < 6; n++) await turnAndSweep(world, 10_000)
    expect(await getEmail(another, waiting)).toMatchObject({ status: 'SENT', attempts: 1, reason: null })
  })

  test('asks again after five minutes, however long the pause: another process may send it, or this one after a restart', async () => {
    const { count } = await inPause(2)
    // The pause that a refused trial begins takes ten minutes.
    await turnAndSweep(world, 5 * minute)
    await turnAndSweep(world, 10_000)
    expect([await count('FAILED'), await count('PENDING')]).toEqual([10, 1])
    server.recipient = () => null
    const restarted = await testWorld({ env: { EMAIL_TRANSPORT: url }, databaseUrl: world.databaseUrl })
    restarted.clock.turn(world.clock.aheadMs + 5 * minute - 10_000)
    await turnAndSweep(restarted, 0)
    expect(await count('SENT')).toBe(0)
    await turnAndSweep(restarted, 11_000)
    expect(await count('SENT')).toBe(1)
  })

  test('for longer than 24 hours is not given up: it has not been attempted', async () => {
    const { count } = await inPause(5)
    // One is tried, and refused.
    await turnAndSweep(world, 25 * 60 * minute)
    expect([await count('FAILED'), await count('PENDING')]).toEqual([10, 4])
    server.recipient = () => null
    await turnAndSweep(world, 25 * 60 * minute)
    await turnAndSweep(world, 10_000)
    expect([await count('FAILED'), await count('SENT')]).toEqual([10, 4])
  })

  test('begins its 24 hours with its first attempt after the pause', async () => {
    const { ctx, count } = await inPause(1)
    server.recipient = () => '451 try later'
    await turnAndSweep(world, 30 * 60 * minute)
    expect([await count('FAILED'), await count('PENDING')]).toEqual([9, 1])
    await turnAndSweep(world, 20 * 60 * minute)
    expect(await count('PENDING')).toBe(1)
    const [row] = await world.db.prisma.email.findMany({ where: { projectId: ctx.projectId, status: 'PENDING' }, select: { id: true } })
    expect(await getEmail(ctx, { id: row?.id ?? '' })).toMatchObject({ attempts: 2, reason: '451 try later' })
  })

  test('after an attempt, and until its 24 hours are over, gets one more attempt', async () => {
    const { ctx, projectId } = await sendingProject(world)
    server.recipient = () => '451 try later'
    const { id } = await accept(ctx)
    await turnAndSweep(world, 0)
    for (let n = 0; n < 10; n++)
      recordHandover(world, {
        projectId,
        account,
        established: true,
        domain: 'demo.test',
        address: `reader${n}@example.com`,
        handover: relay,
      })
    world.clock.turn(25 * 60 * minute)
    recordHandover(world, { projectId, account, established: true, domain: 'demo.test', address: 'reader@example.com', handover: relay })
    await turnAndSweep(world, 0)
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'PENDING', attempts: 1, reason: expect.stringContaining('paused') })
    await turnAndSweep(world, 60 * minute)
    expect(await getEmail(ctx, { id })).toMatchObject({
      status: 'FAILED',
      attempts: 2,
      reason: 'Given up after 24 hours and 2 attempts: 451 try later',
    })
  })
})
