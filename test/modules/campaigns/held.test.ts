import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { previewAudience } from '../../../src/modules/campaigns/audience/preview.ts'
import { getCampaign } from '../../../src/modules/campaigns/campaigns.ts'
import { duplicateCampaign } from '../../../src/modules/campaigns/changes.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import { cancelCampaign, pauseCampaign } from '../../../src/modules/campaigns/sending/stop.ts'
import type { CampaignDraft } from '../../../src/modules/campaigns/shapes.ts'
import { deleteDomain } from '../../../src/modules/domains/domains.ts'
import { deliverClaimed } from '../../../src/modules/emails/delivery/attempt.ts'
import { deliver, drafted, runUntil, step, withContacts } from '../../help/campaigns.ts'
import { sendingProject } from '../../help/mails.ts'
import { claim, twoWorkers } from '../../help/workers.ts'

const { world, sent } = await twoWorkers()

const filtered: Partial<CampaignDraft> = {
  audienceType: 'FILTERED',
  audienceFilter: { field: 'data.plan', operator: 'equals', value: 'pro' },
}

/** Makes Postgres cancel the next statements about whole tables, as it does after 15 s; returns how many it has cancelled. */
async function cancelScans(count: number): Promise<() => number> {
  const client = new pg.Client({ connectionString: world.databaseUrl, statement_timeout: 10 })
  await client.connect()
  const { scans } = world.db
  const { run } = scans
  onTestFinished(async () => {
    scans.run = run
    await client.end()
  })
  let cancelled = 0
  scans.run = async (statement, values) => {
    if (cancelled === count) return run(statement, values)
    cancelled++
    return (await client.query('select pg_sleep(15)')).rows
  }
  return () => cancelled
}

/** Does the steps that are due within some minutes. */
async function pass(minutes: number): Promise<void> {
  for (let second = 0; second < minutes * 60; second += 15) {
    world.clock.turn(15_000)
    await step(world)
  }
}

describe('a campaign whose condition takes longer than 15 s', () => {
  test('each time is tried five times, ever more rarely, and is then a draft again with the reason; nothing leaves', async () => {
    const { ctx, projectId } = await sendingProject(world)
    await withContacts(ctx, 4)
    const { id } = await drafted(ctx, filtered)
    await sendCampaign(ctx, { id })
    const cancelled = await cancelScans(Number.POSITIVE_INFINITY)
    const before = sent.length
    await pass(1)
    expect([cancelled(), await getCampaign(ctx, { id })]).toMatchObject([3, { status: 'SENDING', statusReason: null }])
    await pass(10)
    await deliver(world)
    expect([cancelled(), await getCampaign(ctx, { id }), sent.length - before]).toMatchObject([
      5,
      { status: 'DRAFT', statusReason: 'Finding its audience took too long 5 times in a row; simplify the condition.' },
      0,
    ])
    expect(await world.db.prisma.email.count({ where: { projectId } })).toBe(0)
    await expect(pauseCampaign(ctx, { id })).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('some times is sent when it does no more, and when it is sent again the tries are counted anew', async () => {
    const { ctx } = await sendingProject(world)
    await withContacts(ctx, 4)
    const { id } = await drafted(ctx, filtered)
    for (const times of [5, 4]) {
      await sendCampaign(ctx, { id })
      const cancelled = await cancelScans(times)
      await pass(11)
      expect(cancelled()).toBe(times)
    }
    expect(await runUntil(world, ctx, id, 'SENT')).toMatchObject({ totalRecipients: 2, sentCount: 2, statusReason: null })
  })
})

test('a preview that takes longer than 15 s fails with SERVICE_UNAVAILABLE, whatever the audience is', async () => {
  const { ctx } = await sendingProject(world)
  await withContacts(ctx, 2)
  const all = await drafted(ctx)
  await sendCampaign(ctx, { id: all.id })
  await runUntil(world, ctx, all.id, 'SENT')
  const copy = await duplicateCampaign(ctx, { id: all.id, audience: 'NOT_OPENED' })
  const some = await drafted(ctx, filtered)
  for (const { id } of [all, copy, some]) {
    await cancelScans(1)
    await expect(previewAudience(ctx, { id })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  }
})

describe('a campaign whose sender domain is not verified any more while it is sent', () => {
  const setStatus = (projectId: string, status: 'VERIFIED' | 'PENDING') =>
    world.db.prisma.domain.updateMany({ where: { projectId }, data: { status } })
  const waits = 'Its emails wait, because demo.test is not verified any more; they leave when it is verified again.'

  test('waits with the reason, fails nobody, and goes on when it is verified again, each once', async () => {
    const { ctx, projectId } = await sendingProject(world)
    await withContacts(ctx, 20)
    const { id } = await drafted(ctx)
    await sendCampaign(ctx, { id })
    await step(world)
    const before = sent.length
    const mine = await claim(world, projectId, 'campaign')
    await setStatus(projectId, 'PENDING')
    // What was read before does not count any more.
    for (const email of mine) email.readAt -= 1_000
    await Promise.all(mine.map((email) => deliverClaimed(world, email)))
    for (let round = 0; round < 3; round++) {
      await deliver(world)
      world.clock.turn(10_000)
      await step(world)
    }
    expect([sent.length - before, await getCampaign(ctx, { id })]).toMatchObject([
      0,
      { status: 'SENDING', paused: false, statusReason: waits },
    ])
    expect(await world.db.prisma.email.count({ where: { projectId, status: 'PENDING' } })).toBe(20)
    await setStatus(projectId, 'VERIFIED')
    expect(await runUntil(world, ctx, id, 'SENT')).toMatchObject({ sentCount: 20, statusReason: null })
    expect([sent.length - before, new Set(sent.slice(before)).size]).toEqual([20, 20])
  })

  test('can be cancelled: a draft without a reason', async () => {
    const { ctx, projectId } = await sendingProject(world)
    await withContacts(ctx, 2)
    const { id } = await drafted(ctx)
    await sendCampaign(ctx, { id })
    await step(world)
    await setStatus(projectId, 'PENDING')
    world.clock.turn(1_000)
    await step(world)
    expect(await getCampaign(ctx, { id })).toMatchObject({ statusReason: waits })
    expect(await cancelCampaign(ctx, { id })).toMatchObject({ status: 'DRAFT', statusReason: null })
  })

  test('because it was removed in the moment the campaign started, waits, too; later it cannot be removed, not even while it is paused', async () => {
    const { ctx, projectId } = await sendingProject(world)
    await withContacts(ctx, 2)
    const { id } = await drafted(ctx)
    await sendCampaign(ctx, { id })
    await step(world)
    const [domain] = await world.db.prisma.domain.findMany({ where: { projectId }, select: { id: true } })
    await expect(deleteDomain(ctx, { id: domain?.id ?? '' })).rejects.toMatchObject({ code: 'DOMAIN_IN_USE' })
    await pauseCampaign(ctx, { id })
    await expect(deleteDomain(ctx, { id: domain?.id ?? '' })).rejects.toMatchObject({ code: 'DOMAIN_IN_USE' })
    const other = await drafted(ctx)
    await sendCampaign(ctx, { id: other.id })
    await world.db.prisma.domain.deleteMany({ where: { projectId } })
    world.clock.turn(1_000)
    await step(world)
    await deliver(world)
    expect(await getCampaign(ctx, { id: other.id })).toMatchObject({ status: 'SENDING', statusReason: waits, sentCount: 0 })
    expect(await world.db.prisma.email.count({ where: { projectId, status: 'PENDING' } })).toBe(4)
    expect(await cancelCampaign(ctx, { id: other.id })).toMatchObject({ status: 'DRAFT' })
  })
})
