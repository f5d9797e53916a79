import { describe, expect, test } from 'vitest'
import { awaitRenderer } from '../../../../src/modules/emails/delivery/renderers.ts'
import { deliverEmails, deliveryIdle } from '../../../../src/modules/emails/delivery/worker.ts'
import { getEmail } from '../../../../src/modules/emails/emails.ts'
import type { ClaimedEmail } from '../../../../src/modules/emails/queue/claim.ts'
import { accept, sendingProject } from '../../../help/mails.ts'
import { until } from '../../../help/until.ts'
import { testWorld } from '../../../help/world.ts'

const sent: string[] = []
const mailServer = {
  async send({ pieces }: { pieces: readonly Uint8Array[] }) {
    sent.push(/Message-ID: <(.*?)@/.exec(Buffer.concat(pieces).toString('latin1'))?.[1] ?? '')
    return { kind: 'accepted' as const, response: '250 ok' }
  },
  check: async () => null,
  async close() {},
}
const world = await testWorld({ mailServer, env: { RENDER_BUDGET_MS: '50' } })
const tooLong = /^The template could not be rendered: it takes more than 50 ms of computing time( \(line 1, column \d+\))?\.$/

const nestedLoops = '{% for a in (1..1000) %}{% for b in (1..1000) %}{{ a | times: b }}{% endfor %}{% endfor %}'
// One step of the template: nothing inside it could be asked to stop.
const oneLongStep = '{% assign words = text | split: "," | sort | reverse | sort | sort_natural | reverse | sort %}{{ words.size }}'
const text = Array.from({ length: 140_000 }, (_, at) => (at * 7_919) % 140_009).join(',')

async function deliver(projectId: string): Promise<void> {
  await deliverEmails(world, { turns: [[projectId, 'transactional']] })
}

describe('a template that takes longer than its budget', () => {
  test.each([
    ['in many steps', { body: nestedLoops }],
    ['in one step, which only ending its thread can stop', { body: oneLongStep, data: { text: { value: text, persistent: false } } }],
  ])('%s: FAILED with a sentence, and the next email is sent', async (_how, draft) => {
    const { ctx, projectId } = await sendingProject(world)
    const slow = await accept(ctx, draft)
    const next = await accept(ctx, { to: 'bob@example.com' })
    await deliver(projectId)
    await deliveryIdle(world)
    expect(await getEmail(ctx, { id: slow.id })).toMatchObject({ status: 'FAILED', reason: expect.stringMatching(tooLong) })
    expect(await getEmail(ctx, { id: next.id })).toMatchObject({ status: 'SENT' })
    expect(sent).not.toContain(slow.id)
  })

  test('fails the emails that take long, and no other email of its content', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const body = `{% if email contains "slow" %}${oneLongStep}{% endif %}Hi`
    const to = Array.from({ length: 30 }, (_, n) => `${n % 5 === 0 ? 'slow' : 'to'}${n}@example.com`)
    await accept(ctx, { to, body, data: { text: { value: text, persistent: false } } })
    await deliver(projectId)
    await deliveryIdle(world)
    const ended = await world.db.prisma.email.groupBy({ by: ['status'], where: { projectId }, _count: true, orderBy: { status: 'asc' } })
    expect(ended.map(({ status, _count }) => [status, _count]).sort()).toEqual([
      ['FAILED', 6],
      ['SENT', 24],
    ])
  })

  test('ends ten threads in a row at most: then the other emails of its content fail without one', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const to = Array.from({ length: 100 }, (_, n) => `to${n}@example.com`)
    await accept(ctx, { to, body: oneLongStep, data: { text: { value: text, persistent: false } } })
    await deliver(projectId)
    await until(async () => (await world.db.prisma.email.count({ where: { projectId, status: 'FAILED' } })) === 100)
    const reasons = await world.db.prisma.email.groupBy({ by: ['reason'], where: { projectId } })
    expect(reasons.map(({ reason }) => reason)).toEqual([expect.stringMatching(tooLong)])
  })

  test('does not hold up another project: its email is sent while most of the slow ones still wait', async () => {
    const hostile = await sendingProject(world)
    const to = Array.from({ length: 130 }, (_, n) => `to${n}@example.com`)
    await accept(hostile.ctx, { to, body: nestedLoops })
    await deliver(hostile.projectId)
    const victim = await sendingProject(world)
    const { id } = await accept(victim.ctx)
    await deliver(victim.projectId)
    await until(async () => sent.includes(id))
    const waiting = await world.db.prisma.delivery.count({ where: { projectId: hostile.projectId } })
    expect(waiting).toBeGreaterThan(65)
    await deliveryIdle(world)
    const ended = await world.db.prisma.email.groupBy({ by: ['status'], where: { projectId: hostile.projectId }, _count: true })
    expect(ended).toEqual([{ status: 'FAILED', _count: 130 }])
  })

  test('takes no memory from other large emails while its emails wait to be rendered', async () => {
    const large = '<!-- large -->'.repeat(100_000)
    const hostile = await sendingProject(world)
    await accept(hostile.ctx, { to: Array.from({ length: 120 }, (_, n) => `to${n}@example.com`), body: nestedLoops + large })
    await deliver(hostile.projectId)
    await until(async () => (await world.db.prisma.delivery.count({ where: { projectId: hostile.projectId } })) < 110)
    const victim = await sendingProject(world)
    const { id } = await accept(victim.ctx, { body: `Hi${large}` })
    await deliver(victim.projectId)
    await until(async () => sent.includes(id))
    expect(await world.db.prisma.delivery.count({ where: { projectId: hostile.projectId } })).toBeGreaterThan(40)
    await deliveryIdle(world)
  })

  test('in a campaign does not hold up the transactional emails of its project, not even those with slow templates', async () => {
    const { ctx, projectId } = await sendingProject(world)
    await accept(ctx, { to: Array.from({ length: 80 }, (_, n) => `to${n}@example.com`), body: nestedLoops })
    await world.db.prisma.delivery.updateMany({ where: { projectId }, data: { lane: 2 } })
    await deliverEmails(world, { turns: [[projectId, 'campaign']] })
    const left = () => world.db.prisma.delivery.count({ where: { projectId, lane: 2 } })
    await until(async () => (await left()) < 76)
    for (const [body, status] of [
      ['<p>Hi</p>', 'SENT'],
      [nestedLoops, 'FAILED'],
      [nestedLoops, 'FAILED'],
    ] as const) {
      const { id } = await accept(ctx, { body })
      await deliver(projectId)
      await until(async () => (await getEmail(ctx, { id })).status === status)
    }
    expect(await left()).toBeGreaterThan(25)
    await deliveryIdle(world)
  })

  test('holds up other slow templates by one turn only', async () => {
    const first = await sendingProject(world)
    const second = await sendingProject(world)
    const to = Array.from({ length: 40 }, (_, n) => `to${n}@example.com`)
    await accept(first.ctx, { to, body: nestedLoops })
    await deliver(first.projectId)
    await until(async () => (await world.db.prisma.delivery.count({ where: { projectId: first.projectId } })) < 38)
    await accept(second.ctx, { to: to.slice(0, 8), body: nestedLoops })
    await deliver(second.projectId)
    const left = ({ projectId }: { projectId: string }) => world.db.prisma.delivery.count({ where: { projectId } })
    await until(async () => (await left(second)) === 0)
    expect(await left(first)).toBeGreaterThan(8)
    await deliveryIdle(world)
  })
})

test('text that a filter cut in the middle of a character is well-formed when it is sent and recorded', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const half = '{{ n | split: "" | first }}'
  const { id } = await accept(ctx, { subject: `Hi ${half}`, body: `<p>${half}</p>`, text: half, data: { n: '😀' } })
  await deliver(projectId)
  await deliveryIdle(world)
  expect(await getEmail(ctx, { id })).toMatchObject({ status: 'SENT', attempts: 1, subject: 'Hi �' })
  expect(sent.filter((one) => one === id)).toEqual([id])
})

test('a content with many recipients is rendered for each of them', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const to = Array.from({ length: 60 }, (_, n) => `to${n}@example.com`)
  await accept(ctx, { to, subject: 'Hi {{ email }}' })
  await deliver(projectId)
  await deliveryIdle(world)
  const emails = await world.db.prisma.email.findMany({ where: { projectId }, select: { subject: true, status: true } })
  expect(new Set(emails.map(({ subject }) => subject))).toEqual(new Set(to.map((address) => `Hi ${address}`)))
  expect(emails.every(({ status }) => status === 'SENT')).toBe(true)
})

test('a subject that its data make longer than 998 characters fails with a sentence', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const { id } = await accept(ctx, { subject: '{{ n }}', data: { n: 'é'.repeat(60_000) } })
  await deliver(projectId)
  await deliveryIdle(world)
  expect(await getEmail(ctx, { id })).toMatchObject({ status: 'FAILED', reason: 'The subject is longer than 998 characters.' })
})

test('a template that failed quickly does not count as slow: other contents of its project are rendered beside each other', async () => {
  const { ctx, projectId } = await sendingProject(world)
  await accept(ctx, { subject: '{{ n }}', data: { n: 'x'.repeat(2_000) } })
  await deliver(projectId)
  await deliveryIdle(world)
  // Of an email only what decides about its turn.
  const enter = (contentId: string) => awaitRenderer(world, { projectId, contentId, lane: 'transactional' } as ClaimedEmail)
  const turns = await Promise.all([enter('one'), enter('other')])
  expect(turns.map((turn) => turn.holds())).toEqual([true, true])
  for (const turn of turns) turn.leave()
})
