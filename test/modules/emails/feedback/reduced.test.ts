import { expect, test } from 'vitest'
import { TurnMissed } from '../../../../src/kit/turns.ts'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import { receiveReturned } from '../../../../src/modules/emails/feedback/receive.ts'
import { returnPathOf } from '../../../../src/modules/emails/feedback/return-path.ts'
import { holder } from '../../../help/holder.ts'
import { accept, logOf, sendingProject, turnAndSweep } from '../../../help/mails.ts'
import { queriesOf } from '../../../help/queries.ts'
import { dsn, dsnOf } from '../../../help/reports.ts'
import { acceptingTransport } from '../../../help/smtp.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld({ mailServer: acceptingTransport().mailServer })

/** Emails that were sent, each with its return path. */
async function sent(count: number, draft: Parameters<typeof accept>[1] = {}) {
  const project = await sendingProject(world)
  const emails: { id: string; path: string }[] = []
  for (let at = 0; at < count; at++) {
    const { id } = await accept(project.ctx, { to: `ada${at}@example.com`, ...draft })
    emails.push({ id, path: returnPathOf(world, { ...project, id }, 'demo.test') })
  }
  await turnAndSweep(world, 0)
  return { ...project, emails, paths: emails.map(({ path }) => path), statusOf: async (at: number) => (await shown(at)).status, shown }
  function shown(at: number) {
    return getEmail(project.ctx, { id: emails[at]?.id ?? '' })
  }
}

const refused = (recipient: string, text = 'Spam') => ({
  'Final-Recipient': `rfc822; ${recipient}`,
  Action: 'failed',
  Status: '5.7.1',
  'Diagnostic-Code': `smtp; 550 5.7.1 ${text}`,
})

const bounced = { Status: '5.1.1', 'Diagnostic-Code': 'smtp; 550 5.1.1 User unknown' }

const records = /soft_bounced_before/
const lookups = /"contactDeleted"/

test('however many recipients a report names, each email is looked up once, and each kind of report recorded once', async () => {
  const { ctx, paths } = await sent(10)
  const before = await logOf(ctx)
  const groups = Array.from({ length: 100 }, (_, at) => refused(`other${at}@example.com`, `Spam ${at}`))
  const message = { to: [...paths, ...paths.map((path) => path.toUpperCase())], raw: dsnOf(groups), sender: '192.0.2.1' }
  expect((await queriesOf(() => receiveReturned(world, message), records)).queries).toBe(10)
  expect((await queriesOf(() => receiveReturned(world, message), lookups)).queries).toBe(10)
  const lines = (await logOf(ctx)).slice(before.length)
  expect(lines.map(({ name, data }) => [name, data.reason])).toEqual(Array(10).fill(['email.failed', '550 5.7.1 Spam 0']))
})

test('several kinds of reports about one email are all recorded', async () => {
  const { paths, shown, projectId } = await sent(1)
  const kinds: Record<string, string | null>[] = [
    { ...refused('ada0@example.com'), Status: '4.2.2', 'Diagnostic-Code': null },
    { ...refused('ada0@example.com'), Action: 'delivered', Status: '2.0.0' },
    { ...refused('ada0@example.com'), ...bounced },
  ]
  await receiveReturned(world, { to: paths, raw: dsnOf([...kinds, ...kinds]), sender: '192.0.2.1' })
  expect(await shown(0)).toMatchObject({ status: 'BOUNCED', reason: '550 5.1.1 User unknown' })
  const now = world.clock.now()
  expect(await world.db.prisma.email.findMany({ where: { projectId }, select: { deliveredAt: true, mailboxErrorAt: true } })).toEqual([
    { deliveredAt: now, mailboxErrorAt: now },
  ])
})

test('of an email with copies the report about its recipient is recorded, wherever it stands among others', async () => {
  const { paths, shown } = await sent(1, { cc: ['grace@example.com'] })
  const groups = [refused('grace@example.com', 'Copy'), refused('other@example.com', 'Other'), refused('ADA0@example.com', 'Recipient')]
  await receiveReturned(world, { to: paths, raw: dsnOf(groups), sender: '192.0.2.1' })
  expect(await shown(0)).toMatchObject({ status: 'FAILED', reason: '550 5.7.1 Recipient' })
})

const gone = { ...refused('gone@there.example'), ...bounced }
const expanded = { 'Original-Recipient': 'rfc822; ada0@example.com' }
const got = { Action: 'delivered', Status: '2.0.0', 'Diagnostic-Code': null }
const delayed = { Action: 'delayed', Status: '4.4.1', 'Diagnostic-Code': null }

test.each([
  [
    'was delivered',
    [
      { ...refused('ada0@example.com'), ...got },
      { ...gone, ...expanded },
    ],
    'DELIVERED',
  ],
  [
    'is delayed',
    [
      { ...gone, ...expanded },
      { ...refused('ada0@example.com'), ...delayed },
    ],
    'SENT',
  ],
  [
    'was delivered to a mailbox of its alias',
    [
      { ...gone, ...expanded },
      { ...refused('x@there.example'), ...got, ...expanded },
    ],
    'DELIVERED',
  ],
  [
    'is delayed for a mailbox of its alias',
    [
      { ...gone, ...expanded },
      { ...refused('x@there.example'), ...delayed, ...expanded },
    ],
    'SENT',
  ],
  ['was delivered to a mailbox that its alias led to', [gone, { ...refused('x@there.example'), ...got }], 'DELIVERED'],
  [
    'bounced from each mailbox of its alias',
    [
      { ...gone, ...expanded },
      { ...refused('x@there.example'), ...bounced, ...expanded },
    ],
    'BOUNCED',
  ],
])('an email that %s counts so, also when a mailbox of its alias does not exist', async (_what, groups, status) => {
  const { paths, statusOf, projectId } = await sent(1)
  await receiveReturned(world, { to: paths, raw: dsnOf(groups), sender: '192.0.2.1' })
  const suppressed = await world.db.prisma.suppression.count({ where: { projectId } })
  expect([await statusOf(0), suppressed]).toEqual([status, status === 'BOUNCED' ? 1 : 0])
})

// Groups of the report, of which about 300 are read.
const others = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ ...refused(`gone${n}@there.example`), ...bounced, ...expanded }))
test.each([
  ['150 mailboxes of its alias that do not exist', others(150), { ...refused('x@there.example'), ...got, ...expanded }, 'DELIVERED'],
  ['500 of them', others(500), { ...refused('x@there.example'), ...got, ...expanded }, 'SENT'],
  ['150 other addresses', others(150), { ...refused('ada0@example.com'), ...bounced }, 'BOUNCED'],
  ['500 others, the email being named first', [{ ...refused('ada0@example.com'), ...got }, ...others(500)], {}, 'DELIVERED'],
])('a report about %s, and then what became of an email, says that of it or nothing', async (_what, groups, last, status) => {
  const { paths, statusOf, projectId } = await sent(1)
  await receiveReturned(world, { to: paths, raw: dsnOf([...groups, last]), sender: '192.0.2.1' })
  const suppressed = await world.db.prisma.suppression.count({ where: { projectId } })
  expect([await statusOf(0), suppressed]).toEqual([status, status === 'BOUNCED' ? 1 : 0])
})

// Handled from the start: a rejection that nobody handles yet fails the whole run.
const reasonOf = (error: unknown) => error

test('once a sender has left, nothing more of its message is recorded, and others are recorded meanwhile', async () => {
  const { ctx, paths, emails, statusOf } = await sent(4)
  const [first = '', second = '', third = '', fourth = ''] = paths
  const raw = dsn(refused('ada@example.com'))
  const lock = await holder(world)
  await lock.run('select from emails where id = $1 for update', [emails[0]?.id])
  const [left, next] = [new AbortController(), new AbortController()]
  const recording = receiveReturned(world, { to: [first, second], raw, sender: '192.0.2.1', ended: left.signal }).catch(reasonOf)
  await lock.waitedFor()
  const waiting = receiveReturned(world, { to: [third], raw, sender: '192.0.2.1', ended: next.signal }).catch(reasonOf)
  await receiveReturned(world, { to: [fourth], raw, sender: '192.0.2.2' })
  expect([await statusOf(2), await statusOf(3)]).toEqual(['SENT', 'FAILED'])
  next.abort()
  expect(await waiting).toBeInstanceOf(TurnMissed)
  left.abort(new Error('left'))
  await lock.commit()
  expect(await recording).toEqual(new Error('left'))
  expect([await statusOf(0), await statusOf(1), await statusOf(2)]).toEqual(['FAILED', 'SENT', 'SENT'])
  await receiveReturned(world, { to: [first, second], raw, sender: '192.0.2.1' })
  expect((await logOf(ctx)).filter(({ name }) => name === 'email.failed')).toHaveLength(3)
})

test('once a sender has left, no other kind of report is recorded about the same email', async () => {
  const { paths, emails, statusOf } = await sent(1)
  const raw = dsnOf([refused('ada0@example.com'), { ...refused('ada0@example.com'), ...bounced }])
  const lock = await holder(world)
  await lock.run('select from emails where id = $1 for update', [emails[0]?.id])
  const left = new AbortController()
  const recording = receiveReturned(world, { to: paths, raw, sender: '192.0.2.1', ended: left.signal }).catch(reasonOf)
  await lock.waitedFor()
  left.abort(new Error('left'))
  await lock.commit()
  expect(await recording).toEqual(new Error('left'))
  expect(await statusOf(0)).toBe('FAILED')
  await receiveReturned(world, { to: paths, raw, sender: '192.0.2.1' })
  expect(await statusOf(0)).toBe('BOUNCED')
})
