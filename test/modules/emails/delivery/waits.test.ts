import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { deleteContact } from '../../../../src/modules/contacts/contacts.ts'
import { deliverClaimed } from '../../../../src/modules/emails/delivery/attempt.ts'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import { type ClaimedEmail, isFresh } from '../../../../src/modules/emails/queue/claim.ts'
import { leaseOf } from '../../../../src/modules/emails/queue/lease/lease.ts'
import { renewLease } from '../../../../src/modules/emails/queue/lease/sql.ts'
import { readDecisions } from '../../../../src/modules/emails/queue/sql.ts'
import { selectSuppressed } from '../../../../src/modules/suppressions/sql.ts'
import { suppressAddress } from '../../../../src/modules/suppressions/suppressions.ts'
import { accept, sendingProject } from '../../../help/mails.ts'
import { type Script, scriptedServer } from '../../../help/smtp.ts'
import { until } from '../../../help/until.ts'
import { claimed, twoWorkers } from '../../../help/workers.ts'

const polite: Record<string, string> = { '<CONNECT>': '220 hi', EHLO: '250 hi', DATA: '354 go', QUIT: '221 bye' }
/** How many contents the mail server has received, for how many addresses the last, and what it does before it answers a command. */
const server = { contents: 0, addresses: 0, before: (async () => null) as Script }
const { url } = await scriptedServer(async (command, count) => {
  if (command === '<CONTENT>') server.contents++
  if (command === 'MAIL') server.addresses = 0
  if (command === 'RCPT') server.addresses++
  return (await server.before(command, count)) ?? polite[command] ?? '250 ok'
})
const { world, other, stop } = await twoWorkers({ EMAIL_TRANSPORT: url })

beforeEach(() => {
  server.before = async () => null
})

/** A claimed email of a project that has just sent another one, so that there is an unused connection. */
async function waiting(): Promise<{ ctx: Ctx; contactId: string; mine: ClaimedEmail }> {
  const { ctx, projectId } = await sendingProject(world)
  await accept(ctx, { to: 'first@example.com' })
  await deliverClaimed(world, await claimed(world, projectId))
  const { contactId } = await accept(ctx)
  server.contents = 0
  return { ctx, contactId, mine: await claimed(world, projectId) }
}

const meanwhile: [string, (ctx: Ctx, contactId: string) => Promise<unknown>, string][] = [
  ['its contact is deleted', (ctx, id) => deleteContact(ctx, { id }), 'CANCELLED'],
  ['its address is suppressed', (ctx) => suppressAddress(ctx, { email: 'ada@example.com', reason: 'COMPLAINT' }), 'SUPPRESSED'],
  [
    'its project is suspended',
    ({ projectId: id }) => world.db.prisma.project.update({ where: { id }, data: { disabled: true } }),
    'FAILED',
  ],
  ['its sender domain is removed', ({ projectId }) => world.db.prisma.domain.deleteMany({ where: { projectId } }), 'FAILED'],
]

async function statusOf({ projectId, id }: ClaimedEmail): Promise<string | undefined> {
  return (await world.db.prisma.email.findFirst({ where: { projectId, id }, select: { status: true } }))?.status
}

/** Does something once before the mail server answers a command, as if that had taken some time. */
function onceBefore(command: string, mine: ClaimedEmail, act: () => Promise<unknown>, reply: string | null = null): void {
  server.before = async (said) => {
    if (said !== command) return null
    server.before = async () => null
    await act()
    mine.readAt -= 2_000
    return reply
  }
}

describe('an email does not leave when meanwhile', () => {
  test.each(meanwhile)('%s: while it waits for a new connection', async (_what, act, status) => {
    const { ctx, contactId, mine } = await waiting()
    server.before = async (said) => {
      if (said !== 'MAIL') return null
      onceBefore('<CONNECT>', mine, () => act(ctx, contactId))
      return '421 4.3.2 closing'
    }
    await deliverClaimed(world, mine)
    expect([server.contents, await statusOf(mine)]).toEqual([0, status])
  })

  test.each(meanwhile)('%s: while the mail server takes its time before it asks for the content', async (_what, act, status) => {
    const { ctx, contactId, mine } = await waiting()
    onceBefore('DATA', mine, () => act(ctx, contactId))
    await deliverClaimed(world, mine)
    expect([server.contents, await statusOf(mine)]).toEqual([0, status])
  })

  test.each(meanwhile)('%s: while it waits for its claim to be confirmed', async (_what, act, status) => {
    const { ctx, contactId, mine } = await waiting()
    await stop()
    const { db } = world
    const { run } = db
    db.run = async (asked, values) => {
      if (asked.name !== renewLease.name) return run(asked, values)
      db.run = run
      await act(ctx, contactId)
      mine.readAt -= 300
      return run(asked, values)
    }
    await deliverClaimed(world, mine)
    expect([server.contents, await statusOf(mine)]).toEqual([0, status])
  })

  test('one of its copies is suppressed: the others get it', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await accept(ctx, { cc: ['kept@example.com', 'late@example.com'] })
    const mine = await claimed(world, projectId)
    onceBefore('DATA', mine, () => suppressAddress(ctx, { email: 'late@example.com', reason: 'BOUNCE' }))
    server.contents = 0
    await deliverClaimed(world, mine)
    expect([server.contents, server.addresses]).toEqual([1, 2])
    expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENT' })
  })
})

describe('an email with copies, whose suppressions take long to be read, so that the rest is out of date by then,', () => {
  /** Makes the look-up of suppressed copies take long some times, and does something meanwhile. Returns how often it was asked. */
  function slowly(mine: ClaimedEmail, times: number, act: () => Promise<unknown>): () => number {
    const { db } = world
    const { run } = db
    let asked = 0
    onTestFinished(() => {
      db.run = run
    })
    db.run = async (statement, values) => {
      if (statement.name !== selectSuppressed.name || ++asked > times) return run(statement, values)
      const before = mine.readAt
      const isReadNow = !isFresh(mine)
      const rows = await run(statement, values)
      if (isReadNow) await until(async () => mine.readAt !== before)
      await act()
      mine.readAt = performance.now() - 300
      return rows
    }
    return () => asked
  }

  async function withCopy(): Promise<{ ctx: Ctx; contactId: string; mine: ClaimedEmail }> {
    const { ctx, projectId } = await sendingProject(world)
    const { contactId } = await accept(ctx, { cc: ['copy@example.com'] })
    server.contents = 0
    const mine = await claimed(world, projectId)
    // However slow this machine is, it counts as read just now.
    mine.readAt += 60_000
    return { ctx, contactId, mine }
  }

  test.each(meanwhile)('does not leave when meanwhile %s', async (_what, act, status) => {
    const { ctx, contactId, mine } = await withCopy()
    const asked = slowly(mine, 1, () => act(ctx, contactId))
    await deliverClaimed(world, mine)
    expect([server.contents, await statusOf(mine), asked()]).toEqual([0, status, 2])
  })

  test('is attempted again later when that happens again and again', async () => {
    const { ctx, mine } = await withCopy()
    const asked = slowly(mine, 5, async () => undefined)
    await deliverClaimed(world, mine)
    expect([server.contents, asked(), await getEmail(ctx, mine)]).toMatchObject([
      0,
      5,
      { status: 'PENDING', attempts: 1, reason: 'The database was too slow to tell whether this email may still be sent.' },
    ])
    await world.db.prisma.delivery.updateMany({ where: { projectId: mine.projectId }, data: { due: null } })
    await deliverClaimed(world, await claimed(world, mine.projectId))
    expect([server.contents, await getEmail(ctx, mine)]).toMatchObject([1, { status: 'SENT', attempts: 2 }])
  })
})

test('while Postgres cannot be asked, nothing leaves on what was read before a wait; the email is attempted again', async () => {
  const { ctx, mine } = await waiting()
  const { lookups } = world.db
  const { run } = lookups
  lookups.run = async (asked, values) => {
    if (asked.name !== readDecisions.name) return run(asked, values)
    lookups.run = run
    throw new Error('Connection terminated unexpectedly')
  }
  mine.readAt -= 300
  await deliverClaimed(world, mine)
  expect([server.contents, await getEmail(ctx, mine)]).toMatchObject([0, { status: 'PENDING', attempts: 1 }])
  await deliverClaimed(world, await claimed(world, mine.projectId))
  expect([server.contents, await getEmail(ctx, mine)]).toMatchObject([1, { status: 'SENT', attempts: 2 }])
})

describe('a worker that was stopped before the mail server asked for the content', () => {
  test('sends and records nothing when another worker has claimed the email meanwhile', async () => {
    const { ctx, mine } = await waiting()
    const theirs = Promise.withResolvers<ClaimedEmail>()
    onceBefore('DATA', mine, async () => {
      await stop()
      theirs.resolve(await claimed(other, mine.projectId))
    })
    await deliverClaimed(world, mine)
    expect([server.contents, mine.lost, await getEmail(ctx, mine)]).toMatchObject([0, true, { status: 'SENDING', attempts: 2 }])
    await deliverClaimed(other, await theirs.promise)
    expect([server.contents, await getEmail(ctx, mine)]).toMatchObject([1, { status: 'SENT', attempts: 2, reason: null }])
  })

  test('sends the email once when nobody else has claimed it', async () => {
    const { ctx, mine } = await waiting()
    onceBefore('DATA', mine, stop)
    expect(leaseOf(world).holds()).toBe(true)
    await deliverClaimed(world, mine)
    expect([server.contents, await getEmail(ctx, mine)]).toMatchObject([1, { status: 'SENT', attempts: 1 }])
  })
})
