import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import type { Handover } from '../../../../src/kit/mailer.ts'
import { sendCampaign } from '../../../../src/modules/campaigns/sending/send.ts'
import type { Domain } from '../../../../src/modules/domains/shapes.ts'
import { warmUpReason } from '../../../../src/modules/domains/warm-up/schedule.ts'
import { deliveryIdle, sweepEmails } from '../../../../src/modules/emails/delivery/worker.ts'
import { lanes } from '../../../../src/modules/emails/shapes.ts'
import { updateDomain } from '../../../../src/modules/emails/warm-up/warm-up.ts'
import { asker } from '../../../help/ask.ts'
import { drafted, step, withContacts } from '../../../help/campaigns.ts'
import { accept, sendingProject } from '../../../help/mails.ts'
import { freshUser } from '../../../help/people.ts'
import { queriesOf } from '../../../help/queries.ts'
import { testServer } from '../../../help/server.ts'
import { stayWithinOneDay, type TestWorld, testWorld } from '../../../help/world.ts'

const server = { answer: (): Handover => ({ kind: 'accepted', response: '250 ok' }) }
const mailServer = { send: async () => server.answer(), check: async () => null, async close() {} }
const { world, url, call } = await testServer({ mailServer })
const other = await testWorld({ mailServer, databaseUrl: world.databaseUrl })
const both = [world, other]
both.forEach(stayWithinOneDay)
const dayMs = 86_400_000

/** Turns the clocks to one o'clock of the next UTC day. */
function nextDay(): void {
  const ms = dayMs - (world.clock.now().getTime() % dayMs) + 3_600_000
  for (const { clock } of both) clock.turn(ms)
}

async function warming(contacts = 0) {
  // What other tests have left behind would be sent on the next day.
  await world.db.prisma.$executeRawUnsafe('delete from deliveries')
  nextDay()
  const project = await sendingProject(world)
  const [row] = await world.db.prisma.domain.findMany({ where: { projectId: project.projectId }, select: { id: true } })
  const id = row?.id ?? ''
  const as = { key: project.secret }
  const path = `/domains/${id}`
  const warmUp = async () => (await call(`GET /domains/project/${project.projectId}`, undefined, as)).body[0].warmUp
  if (contacts > 0) await withContacts(project.ctx, contacts)
  const sent = () => world.db.prisma.email.count({ where: { projectId: project.projectId, status: 'SENT' } })
  return { ...project, id, as, path, warmUp, sent }
}

/** Sends a campaign to everybody, as far as it may leave, by some workers at once. */
async function campaignOf(ctx: Ctx, workers: TestWorld[] = [world]): Promise<void> {
  const { id } = await drafted(ctx)
  await sendCampaign(ctx, { id })
  await goOn(workers)
}

async function goOn(workers: TestWorld[] = [world]): Promise<void> {
  for (let round = 0; round < 4; round++) {
    for (const { clock } of both) clock.turn(1_000)
    await step(world)
    await Promise.all(
      workers.map(async (at) => {
        while (await sweepEmails(at));
        await deliveryIdle(at)
      }),
    )
  }
}

describe('PATCH /domains/:id', () => {
  test('begins and ends a warm-up, logs each once, and says how far it is', async () => {
    const { ctx, as, path, warmUp } = await warming()
    expect(await warmUp()).toBeNull()
    const began = await call(`PATCH ${path}`, { warmUp: true }, as)
    const startedAt = world.clock.now().toISOString()
    expect([began.status, began.body.warmUp]).toEqual([200, { startedAt, day: 1, limitToday: 50, sentToday: 0, waiting: 0 }])
    nextDay()
    const again = await call(`PATCH ${path}`, { warmUp: true }, as)
    expect(again.body.warmUp).toEqual({ startedAt, day: 2, limitToday: 100, sentToday: 0, waiting: 0 })
    expect((await call(`PATCH ${path}`, {}, as)).body).toEqual(again.body)
    for (let day = 0; day < 40; day++) nextDay()
    expect(await warmUp()).toMatchObject({ day: 42, limitToday: null })
    expect((await call(`PATCH ${path}`, { warmUp: false }, as)).body.warmUp).toBeNull()
    expect((await call(`PATCH ${path}`, { warmUp: false }, as)).status).toBe(200)
    const where = { projectId: ctx.projectId, name: 'project.changed' }
    const changes = (await world.db.prisma.event.findMany({ where, select: { data: true } })).map(({ data }) => data)
    expect(changes.filter((data) => JSON.stringify(data).includes('"domains.warmUp"'))).toHaveLength(2)
  })

  test('422 for anything but true and false, 403 for a member, 404 for a domain of another project', async () => {
    const { projectId, as, path, warmUp } = await warming()
    const foreign = await warming()
    await world.db.prisma.domain.updateMany({ where: { projectId: foreign.projectId }, data: { id: 'dom_foreign' } })
    const wrong = await call(`PATCH ${path}`, { warmUp: 'yes' }, as)
    expect([wrong.status, wrong.body.error.errors[0].field]).toEqual([422, 'warmUp'])
    const { cookie } = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
    expect((await call(`PATCH ${path}`, { warmUp: true }, { cookie })).status).toBe(403)
    expect((await call('PATCH /domains/dom_foreign', { warmUp: true }, as)).status).toBe(404)
    expect(await warmUp()).toBeNull()
  })

  test('updateDomain and Domain.warmUp are the same in GraphQL', async () => {
    const { secret, id, warmUp } = await warming()
    const ask = asker(url, secret)
    const shown = 'warmUp { startedAt day limitToday sentToday waiting }'
    const mutation = `mutation ($input: UpdateDomainInput!) { updateDomain(input: $input) { domain { ${shown} } } }`
    const { data } = await ask<{ updateDomain: { domain: Domain } }>(mutation, { input: { id, warmUp: true } })
    expect(data?.updateDomain.domain.warmUp).toEqual(await warmUp())
    expect((await ask(`{ domains { nodes { ${shown} } } }`)).data).toEqual({ domains: { nodes: [{ warmUp: await warmUp() }] } })
  })
})

describe('while a domain is warmed up', () => {
  test('the limit of the day leaves, the rest waits with the reason until the next one, and transactional emails leave and count', async () => {
    const { ctx, projectId, id, warmUp, sent } = await warming(160)
    await updateDomain(ctx, { id, warmUp: true })
    await campaignOf(ctx)
    expect(await sent()).toBe(50)
    expect(await warmUp()).toMatchObject({ day: 1, limitToday: 50, sentToday: 50, waiting: 110 })
    const waiting = await world.db.prisma.delivery.findMany({ where: { projectId }, select: { reason: true, attempts: true, due: true } })
    const midnight = Math.ceil(world.clock.now().getTime() / dayMs) * dayMs
    expect(new Set(waiting.map(({ reason }) => reason))).toEqual(new Set([warmUpReason('demo.test')]))
    expect(waiting.every(({ attempts, due }) => attempts === 0 && Math.abs((due?.getTime() ?? 0) - midnight) < 60_000)).toBe(true)
    await accept(ctx, { to: ['a@example.com', 'b@example.com'], subscribed: true })
    await goOn()
    expect([await sent(), (await warmUp()).sentToday]).toEqual([52, 52])
    nextDay()
    await goOn()
    expect([await sent(), await warmUp()]).toEqual([152, expect.objectContaining({ day: 2, limitToday: 100, sentToday: 100, waiting: 10 })])
    nextDay()
    await goOn()
    expect([await sent(), await warmUp()]).toEqual([162, expect.objectContaining({ day: 3, limitToday: 500, sentToday: 10, waiting: 0 })])
  })

  test('transactional emails of before leave less room for the others', async () => {
    const { ctx, id, sent } = await warming(60)
    await updateDomain(ctx, { id, warmUp: true })
    await accept(ctx, { to: Array.from({ length: 20 }, (_, at) => `to${at}@example.com`), subscribed: true })
    await goOn()
    await campaignOf(ctx)
    expect(await sent()).toBe(50)
  })

  test('emails of workflows wait as those of campaigns do', async () => {
    const { ctx, projectId, id, warmUp, sent } = await warming()
    await updateDomain(ctx, { id, warmUp: true })
    await accept(ctx, { to: Array.from({ length: 55 }, (_, at) => `to${at}@example.com`), subscribed: true })
    await world.db.prisma.delivery.updateMany({ where: { projectId }, data: { lane: lanes.indexOf('workflow') } })
    await goOn()
    expect([await sent(), (await warmUp()).waiting]).toEqual([50, 5])
  })

  test('several workers together do not let more leave', async () => {
    const { ctx, id, warmUp, sent } = await warming(200)
    await updateDomain(ctx, { id, warmUp: true })
    await accept(ctx, { to: Array.from({ length: 10 }, (_, at) => `to${at}@example.com`), subscribed: true })
    await campaignOf(ctx, both)
    expect([await sent(), (await warmUp()).sentToday]).toEqual([50, 50])
  })

  test('an email that is put off or refused uses nothing of the day; one whose answer was lost does', async () => {
    const { ctx, id, warmUp, sent } = await warming()
    await updateDomain(ctx, { id, warmUp: true })
    const answers: Handover[] = [
      { kind: 'deferred', response: '451 4.7.1 try again later' },
      { kind: 'refused', response: '554 5.7.1 not wanted', recipient: false },
      { kind: 'deferred', response: 'The connection was lost', uncertain: true },
    ]
    server.answer = () => answers.shift() ?? { kind: 'accepted', response: '250 ok' }
    for (const to of ['a@example.com', 'b@example.com', 'c@example.com']) {
      await accept(ctx, { to })
      for (const { clock } of both) clock.turn(10)
      while (await sweepEmails(world));
      await deliveryIdle(world)
    }
    expect([answers.length, await sent(), (await warmUp()).sentToday]).toEqual([0, 0, 1])
  })

  test('what waits leaves at once when the warm-up ends', async () => {
    const { ctx, id, sent } = await warming(70)
    await updateDomain(ctx, { id, warmUp: true })
    await campaignOf(ctx)
    expect(await sent()).toBe(50)
    await updateDomain(ctx, { id, warmUp: false })
    await goOn()
    expect(await sent()).toBe(70)
  })

  test('another domain and another project are not held up', async () => {
    const { ctx, id } = await warming(60)
    await updateDomain(ctx, { id, warmUp: true })
    const free = await sendingProject(world)
    await withContacts(free.ctx, 60)
    await Promise.all([campaignOf(ctx), campaignOf(free.ctx)])
    expect(await world.db.prisma.email.count({ where: { projectId: free.projectId, status: 'SENT' } })).toBe(60)
  })
})

test('without a warm-up nothing is asked for when an email leaves', async () => {
  const { ctx, sent } = await warming(5)
  const { queries } = await queriesOf(() => campaignOf(ctx), /domain_sendings/)
  expect([await sent(), queries]).toEqual([5, 0])
})
