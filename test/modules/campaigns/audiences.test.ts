import { expect, test } from 'vitest'
import { getCampaign } from '../../../src/modules/campaigns/campaigns.ts'
import { advanceCampaigns, stepsIdle } from '../../../src/modules/campaigns/run/run.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import { cancelCampaign } from '../../../src/modules/campaigns/sending/stop.ts'
import type { CampaignDraft } from '../../../src/modules/campaigns/shapes.ts'
import { drafted, runUntil, withContacts } from '../../help/campaigns.ts'
import { sendingProject } from '../../help/mails.ts'
import { until } from '../../help/until.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld({ env: { EMAIL_TRANSPORT: 'capture' } })
const filtered: Partial<CampaignDraft> = {
  audienceType: 'FILTERED',
  audienceFilter: { field: 'data.plan', operator: 'equals', value: 'pro' },
}

/** Makes the first `count` conditions of audiences wait; `begun` says how many were asked, and `end` lets those go on that wait. */
function slowScans(count: number): { begun(): number; end(): void } {
  const { scans } = world.db
  const { run } = scans
  const gate = Promise.withResolvers<void>()
  let begun = 0
  scans.run = async (statement, values) => {
    if (++begun <= count) await gate.promise
    return run(statement, values)
  }
  const end = () => {
    scans.run = run
    gate.resolve()
  }
  return { begun: () => begun, end }
}

/** Does the steps that are due, without waiting for the audiences that are being read. */
async function stepOn(): Promise<false> {
  while (await advanceCampaigns(world));
  return false
}

/** A campaign of its own project that is being sent. */
async function sending(draft: Partial<CampaignDraft> = {}) {
  const { ctx, projectId } = await sendingProject(world)
  await withContacts(ctx, 2)
  const { id } = await drafted(ctx, draft)
  await sendCampaign(ctx, { id })
  return { ctx, projectId, id }
}

test('a campaign whose condition takes long holds up no other one, and four at most take long', async () => {
  const campaigns = await Promise.all(Array.from({ length: 5 }, () => sending(filtered)))
  const [first] = campaigns
  if (!first) throw new Error('no campaign')
  const second = await drafted(first.ctx, filtered)
  await sendCampaign(first.ctx, { id: second.id })
  const slow = slowScans(4)
  try {
    await stepOn()
    await until(async () => (await stepOn()) || slow.begun() === 4)
    await stepOn()
    expect(slow.begun()).toBe(4)
    expect(await cancelCampaign(first.ctx, { id: second.id })).toMatchObject({ status: 'DRAFT' })
  } finally {
    slow.end()
  }
  await stepsIdle(world)
  for (const { ctx, id } of campaigns) expect(await runUntil(world, ctx, id, 'SENT')).toMatchObject({ sentCount: 1 })
})

test('while one audience is read, campaigns of others are queued, and a second one of the same project waits', async () => {
  const one = await sending(filtered)
  const second = await drafted(one.ctx, filtered)
  await sendCampaign(one.ctx, { id: second.id })
  const slow = slowScans(1)
  try {
    await until(async () => (await stepOn()) || slow.begun() === 1)
    await stepOn()
    expect(slow.begun()).toBe(1)
    const { projectId } = await sending()
    await until(async () => (await stepOn()) || (await world.db.prisma.delivery.count({ where: { projectId } })) === 2)
    expect((await getCampaign(one.ctx, one)).totalRecipients).toBe(0)
  } finally {
    slow.end()
  }
  for (const id of [one.id, second.id]) expect(await runUntil(world, one.ctx, id, 'SENT')).toMatchObject({ sentCount: 1 })
})
