import { beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { deleteContact } from '../../../../src/modules/contacts/contacts.ts'
import { cancelEmail } from '../../../../src/modules/emails/cancel.ts'
import { findSuppressed, suppressAddresses } from '../../../../src/modules/suppressions/suppressions.ts'
import { asker } from '../../../help/ask.ts'
import { accept, logOf, sendingProject, turnAndSweep } from '../../../help/mails.ts'
import { testServer } from '../../../help/server.ts'
import { mailServer, type Refusal } from '../../../help/smtp.ts'

const refusals = new Map<string, Refusal>()
const server = await mailServer({ refuse: (to) => refusals.get(to) ?? null })
const { world, url } = await testServer({ env: { EMAIL_TRANSPORT: server.url } })

let ctx: Ctx
let projectId: string
let key: string
beforeEach(async () => {
  ;({ ctx, projectId, secret: key } = await sendingProject(world))
  refusals.clear()
  server.mails.length = 0
})

const day = 86_400_000
const greylisted = { code: 450, message: '4.7.1 Greylisted' }
const unknown = { code: 550, message: '5.1.1 User unknown' }
const blocked = { code: 554, message: '5.7.1 Blocked' }
const [ada, bob, cleo, dora] = ['ada', 'bob', 'cleo', 'dora'].map((name) => `${name}@example.com`) as [string, string, string, string]

/** Sends an email to Ada with copies to Bob, Cleo and, hidden, Dora. */
async function sent(draft: object = {}): Promise<string> {
  const { id } = await accept(ctx, { to: [ada], cc: [bob, cleo], bcc: [dora], ...draft } as Parameters<typeof accept>[1])
  await turnAndSweep(world, 0)
  return id
}
const envelopes = () => server.mails.map(({ to }) => to.toSorted())
const messageIds = () => new Set(server.mails.map(({ raw }) => /^Message-ID: (.*)$/im.exec(raw.toString('latin1'))?.[1]))
const shown = async (id: string, fields: string) =>
  (await asker(url, key)<{ email: Record<string, unknown> }>(`{ email(id: "${id}") { ${fields} } }`)).data?.email
const waiting = (id: string) => shown(id, 'status waitingCopies nextAttemptAt waitsFor attempts')
const lost = async () => {
  const lines = (await logOf(ctx)).filter(({ name }) => name === 'email.copy.failed')
  return lines.map(({ data }) => [data.copy, data.reason])
}
const queued = () => world.db.prisma.delivery.count({ where: { projectId } })

describe('a copy that the mail server puts off while it accepts the email', () => {
  test('is attempted again by itself until it is accepted, under the same Message-ID; the others get nothing twice', async () => {
    for (const copy of [bob, dora]) refusals.set(copy, greylisted)
    const id = await sent()
    expect(envelopes()).toEqual([[ada, cleo]])
    const ended = { status: 'SENT', nextAttemptAt: null, waitsFor: null, attempts: 1 }
    expect(await waiting(id))?.toEqual({ ...ended, waitingCopies: [bob, dora] })
    await turnAndSweep(world, 29_000)
    expect(server.mails).toHaveLength(1)
    refusals.delete(dora)
    await turnAndSweep(world, 2_000)
    expect(await waiting(id))?.toEqual({ ...ended, waitingCopies: [bob] })
    refusals.delete(bob)
    await turnAndSweep(world, 121_000)
    expect(await waiting(id))?.toEqual({ ...ended, waitingCopies: [] })
    expect(envelopes()).toEqual([[ada, cleo], [dora], [bob]])
    expect(messageIds().size).toBe(1)
    expect([await queued(), await lost()]).toEqual([0, []])
    expect((await logOf(ctx)).filter(({ name }) => name === 'email.sent')).toHaveLength(1)
  })

  test('is given up 24 hours after the first attempt, which its log says', async () => {
    refusals.set(bob, greylisted)
    const id = await sent()
    for (let hours = 0; hours < 27; hours++) await turnAndSweep(world, 3_600_000)
    expect(await lost()).toEqual([[bob, expect.stringMatching(/^Given up after 24 hours and \d+ attempts: 450 4.7.1 Greylisted$/)]])
    expect([server.mails.length, await queued(), (await waiting(id))?.status]).toEqual([1, 0, 'SENT'])
    const { timeline } = (await shown(id, 'timeline { type copy reason }')) as { timeline: object[] }
    expect(timeline.at(-1)).toMatchObject({ type: 'EMAIL_COPY_FAILED', copy: bob, reason: expect.stringMatching(/^Given up/) })
  })

  test.each([
    ['was suppressed meanwhile', () => suppressAddresses(ctx, { emails: [bob] }), /suppression list/],
    [
      'comes from a project that is disabled',
      () => world.db.prisma.project.update({ where: { id: projectId }, data: { disabled: true } }),
      /disabled/,
    ],
  ])('is not attempted again when it %s', async (_title, change, reason) => {
    refusals.set(bob, greylisted)
    await sent()
    refusals.clear()
    await change()
    await turnAndSweep(world, 31_000)
    expect([envelopes(), await queued()]).toEqual([[[ada, cleo, dora]], 0])
    expect(await lost()).toEqual([[bob, expect.stringMatching(reason)]])
  })

  test('is not attempted again once the contact is deleted, and the email cannot be cancelled any more', async () => {
    refusals.set(bob, greylisted)
    const id = await sent()
    await expect(cancelEmail(ctx, { id })).rejects.toMatchObject({ code: 'CONFLICT' })
    refusals.clear()
    const { contactId } = await world.db.prisma.email.findFirstOrThrow({ where: { projectId } })
    await deleteContact(ctx, { id: contactId })
    await turnAndSweep(world, 31_000)
    expect([envelopes(), await queued()]).toEqual([[[ada, cleo, dora]], 0])
  })

  test('waits for its sender domain, and is lost with it', async () => {
    refusals.set(bob, greylisted)
    const id = await sent()
    refusals.clear()
    const domains = { where: { projectId } }
    await world.db.prisma.domain.updateMany({ ...domains, data: { status: 'PENDING' } })
    await turnAndSweep(world, 31_000)
    expect([envelopes(), (await waiting(id))?.waitingCopies]).toEqual([[[ada, cleo, dora]], [bob]])
    await world.db.prisma.domain.deleteMany(domains)
    await turnAndSweep(world, 3_600_000)
    expect([server.mails.length, await queued(), await lost()]).toEqual([1, 0, [[bob, expect.stringContaining('was deleted')]]])
  })

  test('uses no share of a warm-up while it is put off', async () => {
    // Shares are those of a day: it must not end meanwhile.
    world.clock.turn(day - (world.clock.now().getTime() % day))
    const now = world.clock.now()
    const [domain] = await world.db.prisma.domain.updateManyAndReturn({ where: { projectId }, data: { warmUpAt: now } })
    await world.db.prisma.domainSendings.create({ data: { projectId, domainId: domain?.id ?? '', day: now, sent: 0 } })
    refusals.set(bob, greylisted)
    await sent()
    for (let attempt = 0; attempt < 3; attempt++) await turnAndSweep(world, 700_000)
    expect(await world.db.prisma.domainSendings.aggregate({ where: { projectId }, _sum: { sent: true } })).toEqual({ _sum: { sent: 1 } })
    refusals.clear()
    await turnAndSweep(world, 3_600_000)
    expect([envelopes(), await queued()]).toEqual([[[ada, cleo, dora], [bob]], 0])
  })

  test('is not taken by a worker that knows nothing of copies: it would send the whole email again', async () => {
    refusals.set(bob, greylisted)
    await sent()
    await world.db.prisma.delivery.updateMany({ where: { projectId }, data: { due: null } })
    const [row] = await world.db.prisma.delivery.findMany({ where: { projectId }, select: { worker: true, claim: true } })
    const lease = await world.db.prisma.deliveryWorker.findUnique({ where: { id: row?.worker ?? '' } })
    expect([row?.claim, (lease?.until.getUTCFullYear() ?? 0) > 9_000]).toEqual([null, true])
    refusals.clear()
    await turnAndSweep(world, 0)
    expect(envelopes()).toEqual([[ada, cleo, dora], [bob]])
  })

  test('waits when the recipient bounced; one that is withheld is logged', async () => {
    refusals.set(ada, unknown)
    refusals.set(bob, greylisted)
    await suppressAddresses(ctx, { emails: [cleo] })
    await sent({ bcc: [] })
    expect([server.mails, await lost()]).toEqual([[], [[cleo, expect.stringContaining('suppression list')]]])
    refusals.clear()
    await turnAndSweep(world, 31_000)
    expect([envelopes(), await queued()]).toEqual([[[bob]], 0])
  })

  test('is attempted again also when the recipient bounced, of whom it says nothing', async () => {
    refusals.set(ada, unknown)
    for (const copy of [bob, cleo, dora]) refusals.set(copy, greylisted)
    const id = await sent()
    expect([(await waiting(id))?.status, server.mails]).toEqual(['BOUNCED', []])
    refusals.clear()
    await turnAndSweep(world, 31_000)
    expect([(await waiting(id))?.status, envelopes()]).toEqual(['BOUNCED', [[bob, cleo, dora]]])
  })
})

describe('a copy that the mail server refuses for good', () => {
  test('is logged with its reason; an address that does not exist is suppressed, and the email is sent', async () => {
    refusals.set(bob, unknown)
    refusals.set(dora, blocked)
    const id = await sent()
    expect((await waiting(id))?.status).toBe('SENT')
    expect((await logOf(ctx)).map(({ name }) => name).slice(0, 2)).toEqual(['email.sent', 'email.copy.failed'])
    expect((await lost()).toSorted()).toEqual([
      [bob, '550 5.1.1 User unknown'],
      [dora, '554 5.7.1 Blocked'],
    ])
    expect([...(await findSuppressed(ctx, [ada, bob, cleo, dora]))]).toEqual([[bob, 'BOUNCE']])
    expect(await queued()).toBe(0)
    await sent()
    expect(envelopes()).toEqual([
      [ada, cleo],
      [ada, cleo],
    ])
    expect((await lost()).slice(2)).toEqual(expect.arrayContaining([[bob, expect.stringContaining('suppression list')]]))
  })

  test('or that is withheld, is logged also when the recipient is refused', async () => {
    await suppressAddresses(ctx, { emails: [bob] })
    refusals.set(ada, unknown)
    await sent()
    expect([envelopes(), await lost()]).toEqual([[[cleo, dora]], [[bob, expect.stringContaining('suppression list')]]])
  })

  test('is logged by an attempt of copies alone as well, and the rest goes on', async () => {
    for (const copy of [bob, cleo, dora]) refusals.set(copy, greylisted)
    const id = await sent()
    refusals.set(bob, blocked)
    await turnAndSweep(world, 31_000)
    expect([(await waiting(id))?.waitingCopies, await lost()]).toEqual([[cleo, dora], [[bob, '554 5.7.1 Blocked']]])
    refusals.clear()
    await turnAndSweep(world, 121_000)
    expect(envelopes()).toEqual([[ada], [cleo, dora]])
  })
})

test('emails whose copies were accepted are not sent again when the refusals of their recipients pause the sender domain', async () => {
  const ids: string[] = []
  for (let n = 0; n < 12; n++) {
    refusals.set(`to${n}@example.com`, blocked)
    ids.push(await sent({ to: [`to${n}@example.com`], cc: [`copy${n}@example.com`], bcc: [] }))
  }
  refusals.clear()
  for (let hours = 0; hours < 3; hours++) await turnAndSweep(world, 3_600_000)
  const copies = server.mails.flatMap(({ to }) => to).filter((address) => address.startsWith('copy'))
  expect(copies.toSorted()).toEqual(ids.map((_id, n) => `copy${n}@example.com`).toSorted())
})
