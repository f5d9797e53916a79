import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { sendCampaign } from '../../../../src/modules/campaigns/sending/send.ts'
import { pauseCampaign, resumeCampaign } from '../../../../src/modules/campaigns/sending/stop.ts'
import { wakeStalled } from '../../../../src/modules/emails/delivery/worker.ts'
import { updateDomain } from '../../../../src/modules/emails/warm-up/warm-up.ts'
import { addContacts, deliver, drafted, step, withContacts } from '../../../help/campaigns.ts'
import { accept, sendingProject, turnAndSweep } from '../../../help/mails.ts'
import { scriptedServer } from '../../../help/smtp.ts'
import { stayWithinOneDay, testWorld } from '../../../help/world.ts'

const polite: Record<string, string> = { '<CONNECT>': '220 hi', EHLO: '250 hi', DATA: '354 go', QUIT: '221 bye' }
let refusal: string | null = null
const { url } = await scriptedServer(async (command) => (command === 'RCPT' ? refusal : null) ?? polite[command] ?? '250 ok')
const world = await testWorld({ env: { EMAIL_TRANSPORT: url } })
// A domain that is warmed up has a limit for each day.
stayWithinOneDay(world)

// As if the version that let them wait had another wording.
const reword = (projectId: string) => world.db.prisma.delivery.updateMany({ where: { projectId }, data: { reason: 'It waits.' } })
const countOf = (projectId: string, status: 'SENT' | 'PENDING') => world.db.prisma.email.count({ where: { projectId, status } })

async function waitsOf(projectId: string): Promise<(string | null)[]> {
  const rows = await world.db.prisma.delivery.findMany({ where: { projectId }, select: { waitsFor: true } })
  return [...new Set(rows.map(({ waitsFor }) => waitsFor))]
}

describe('emails that wait are found by what they wait for, however it is worded to people:', () => {
  test('for their campaign, which is resumed', async () => {
    const { ctx, projectId } = await sendingProject(world)
    await withContacts(ctx, 4)
    const { id } = await drafted(ctx)
    await sendCampaign(ctx, { id })
    await step(world)
    await pauseCampaign(ctx, { id })
    expect(await waitsOf(projectId)).toEqual(['CAMPAIGN'])
    await reword(projectId)
    await resumeCampaign(ctx, { id })
    world.clock.turn(1_000)
    await step(world)
    await deliver(world)
    expect(await countOf(projectId, 'SENT')).toBe(4)
  })

  test('for the next day of a warm-up, which ends', async () => {
    const { ctx, projectId } = await sendingProject(world)
    const { id } = await world.db.prisma.domain.findFirstOrThrow({ where: { projectId } })
    await updateDomain(ctx, { id, warmUp: true })
    await addContacts(ctx, 60)
    const campaign = await drafted(ctx)
    await sendCampaign(ctx, { id: campaign.id })
    await step(world)
    await deliver(world)
    expect([await countOf(projectId, 'SENT'), await waitsOf(projectId)]).toEqual([50, ['WARM_UP:demo.test']])
    await reword(projectId)
    await updateDomain(ctx, { id, warmUp: false })
    await deliver(world)
    expect(await countOf(projectId, 'SENT')).toBe(60)
  })

  test('for the end of a pause of their sender', async () => {
    const { ctx, projectId } = await sendingProject(world)
    refusal = '550 relay not permitted'
    await accept(ctx, { to: Array.from({ length: 14 }, (_, n) => `reader${n}@example.com`) })
    await turnAndSweep(world, 0)
    expect([await countOf(projectId, 'PENDING'), await waitsOf(projectId)]).toEqual([5, ['SENDER:demo.test']])
    await reword(projectId)
    refusal = null
    await turnAndSweep(world, 5 * 60_000)
    await turnAndSweep(world, 1)
    expect([await countOf(projectId, 'SENT'), await waitsOf(projectId)]).toEqual([5, []])
  })
})

test('what waited when the column was added is known by its sentence', async () => {
  const { ctx, projectId } = await sendingProject(world)
  const sentences = [
    ['The campaign is paused.', 'CAMPAIGN'],
    ['All sending is paused, because the mail server refused one email after the other. This email waits.', 'TRANSPORT'],
    ['Sending from a.b.test is paused, because the mail server refused one email after the other. This email waits.', 'SENDER:a.b.test'],
    [
      'The domain münchen.test is being warmed up, and today’s limit is reached: this email waits until tomorrow (UTC).',
      'WARM_UP:münchen.test',
    ],
    ['451 The campaign is paused. Try again later.', null],
  ] as const
  await accept(ctx, { to: sentences.map((_, n) => `reader${n}@example.com`) })
  const waiting = await world.db.prisma.delivery.findMany({ where: { projectId }, orderBy: { emailId: 'asc' } })
  for (const [at, { emailId }] of waiting.entries()) {
    const data = { reason: sentences[at]?.[0] ?? '', due: new Date('2100-01-01') }
    await world.db.prisma.delivery.updateMany({ where: { projectId, emailId }, data })
  }
  const sql = await readFile(new URL('../../../../prisma/migrations/0032_waits/migration.sql', import.meta.url), 'utf8')
  await world.db.prisma.$executeRawUnsafe(sql.slice(sql.indexOf('UPDATE "deliveries"')))
  const after = await world.db.prisma.delivery.findMany({ where: { projectId }, orderBy: { emailId: 'asc' } })
  expect(after.map(({ waitsFor }) => waitsFor)).toEqual(sentences.map(([, waitsFor]) => waitsFor))
})

describe('where the clock of Postgres was ahead, and is set right, emails', () => {
  const year = 365 * 24 * 3_600_000
  const inAYear = () => new Date(Date.now() + world.clock.aheadMs + year)
  const later = (projectId: string, data: object) =>
    world.db.prisma.delivery.updateMany({ where: { projectId }, data: { due: inAYear(), ...data } })

  test('whose next attempt would be later than any leave, and their 24 hours begin', async () => {
    const { ctx, projectId } = await sendingProject(world)
    await accept(ctx)
    await later(projectId, { attempts: 1, firstAt: inAYear() })
    await turnAndSweep(world, 3_600_000)
    expect(await countOf(projectId, 'SENT')).toBe(0)
    await wakeStalled(world)
    const { due, firstAt } = await world.db.prisma.delivery.findFirstOrThrow({ where: { projectId } })
    expect([due, Number(firstAt) < Number(inAYear()) - year / 2]).toEqual([null, true])
    await turnAndSweep(world, 0)
    expect(await countOf(projectId, 'SENT')).toBe(1)
  })

  test('of a campaign that is paused go on waiting, and leave when it is resumed', async () => {
    const { ctx, projectId } = await sendingProject(world)
    await withContacts(ctx, 2)
    const { id } = await drafted(ctx)
    await sendCampaign(ctx, { id })
    await step(world)
    await pauseCampaign(ctx, { id })
    const before = await world.db.prisma.delivery.findMany({ where: { projectId }, orderBy: { emailId: 'asc' } })
    await wakeStalled(world)
    expect(await world.db.prisma.delivery.findMany({ where: { projectId }, orderBy: { emailId: 'asc' } })).toEqual(before)
    await later(projectId, {})
    await wakeStalled(world)
    await deliver(world)
    expect([await countOf(projectId, 'SENT'), await waitsOf(projectId)]).toEqual([0, ['CAMPAIGN']])
    await resumeCampaign(ctx, { id })
    world.clock.turn(1_000)
    await step(world)
    await deliver(world)
    expect(await countOf(projectId, 'SENT')).toBe(2)
  })
})
