import { beforeAll, describe, expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { getCampaign } from '../../../src/modules/campaigns/campaigns.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import { resumeCampaign } from '../../../src/modules/campaigns/sending/stop.ts'
import { deliverClaimed } from '../../../src/modules/emails/delivery/attempt.ts'
import type { ClaimedEmail } from '../../../src/modules/emails/queue/claim.ts'
import { claimTurns, openBuckets } from '../../../src/modules/emails/queue/sql.ts'
import { asker } from '../../help/ask.ts'
import { deliver, drafted, runUntil, step, withContacts } from '../../help/campaigns.ts'
import { holder } from '../../help/holder.ts'
import { type HeldStep, holdingServer } from '../../help/holding.ts'
import { sendingProject } from '../../help/mails.ts'
import { testServer } from '../../help/server.ts'
import { until } from '../../help/until.ts'
import { claim, twoWorkers } from '../../help/workers.ts'
import type { TestWorld } from '../../help/world.ts'

const server = await holdingServer()
const { world, other, turn } = await twoWorkers({ EMAIL_TRANSPORT: server.url, SEND_RATE_PER_PROJECT: '1000' })
const { call, url } = await testServer({ world })

const steps: [string, HeldStep][] = [
  ['greets', '<CONNECT>'],
  ['answers RCPT', 'RCPT'],
  ['asks for the content', 'DATA'],
  ['answers the end of the content', '<CONTENT>'],
]

/** A way to stop a campaign; it resolves with the answer. */
type Stop = (id: string, key: string) => Promise<unknown>

function overRest(action: 'cancel' | 'pause'): Stop {
  return async (id, key) => expect((await call(`POST /campaigns/${id}/${action}`, undefined, { key })).status).toBe(200)
}

function overGraphql(action: 'cancelCampaign' | 'pauseCampaign'): Stop {
  return async (id, key) => {
    const { errors } = await asker(url, key)(`mutation { ${action}(input: { id: "${id}" }) { campaign { id } } }`)
    expect(errors).toEqual([])
  }
}

const stops: [string, 'CANCELLED' | 'paused', Stop][] = [
  ['POST /campaigns/:id/cancel', 'CANCELLED', overRest('cancel')],
  ['cancelCampaign', 'CANCELLED', overGraphql('cancelCampaign')],
  ['POST /campaigns/:id/pause', 'paused', overRest('pause')],
  ['pauseCampaign', 'paused', overGraphql('pauseCampaign')],
]
const casesOf = (...names: string[]) =>
  steps.flatMap(([what, at]) =>
    stops.filter(([name]) => names.includes(name)).map(([name, how, stop]) => [name, what, { at, how, stop }] as const),
  )
const some = casesOf('POST /campaigns/:id/cancel', 'pauseCampaign')
const others = casesOf('POST /campaigns/:id/pause', 'cancelCampaign')

/** A campaign to some contacts whose emails are queued. */
async function sending(count: number): Promise<{ ctx: Ctx; id: string; key: string; projectId: string; before: number }> {
  const { ctx, secret: key, projectId } = await sendingProject(world)
  await withContacts(ctx, count)
  const { id } = await drafted(ctx)
  await sendCampaign(ctx, { id })
  await step(world)
  return { ctx, id, key, projectId, before: server.contents() }
}

async function isStopped(ctx: Ctx, id: string, how: 'CANCELLED' | 'paused'): Promise<boolean> {
  const { status, paused } = await getCampaign(ctx, { id })
  return how === 'paused' ? paused : status !== 'SENDING'
}

const deliverAll = (at: TestWorld, emails: ClaimedEmail[]) => Promise.all(emails.map((email) => deliverClaimed(at, email)))

/** Lets both workers do whatever there is to do. */
async function work(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    turn(1_000)
    for (const at of [world, other]) {
      await step(at)
      await deliver(at)
    }
  }
}

/** What was sent at the answer was all; a campaign that was paused then reaches everybody once. */
async function expectNothingLeft({ ctx, id, before }: Awaited<ReturnType<typeof sending>>, atAnswer: number, total: number): Promise<void> {
  await work()
  expect(server.contents()).toBe(atAnswer)
  const { status } = await getCampaign(ctx, { id })
  if (status !== 'SENDING') {
    expect(atAnswer > before ? ['CANCELLED'] : ['CANCELLED', 'DRAFT']).toContain(status)
    expect(await world.db.prisma.delivery.count({ where: { projectId: ctx.projectId } })).toBe(0)
    return
  }
  await resumeCampaign(ctx, { id })
  expect(await runUntil(world, ctx, id, 'SENT')).toMatchObject({ sentCount: total })
  expect(server.contents() - before).toBe(total)
}

/** Begins a claim of a worker that is held up in Postgres, as by a slow disk, after it has looked at the campaign; `end` lets it end. */
async function lateClaim(projectId: string): Promise<{ end(): Promise<ClaimedEmail[]> }> {
  await other.db.run(openBuckets, [[projectId], 1_000, 0])
  const held = await holder(world)
  await held.run('select from send_buckets where project_id = $1 for update', [projectId])
  const { lookups, run } = other.db
  const usual = lookups.run
  // Without the limit on waiting for a lock.
  lookups.run = (asked, values) => (asked.name === claimTurns.name ? run(asked, values) : usual(asked, values))
  const claiming = claim(other, projectId, 'campaign')
  await held.waitedFor()
  return {
    async end() {
      await held.commit()
      const emails = await claiming
      lookups.run = usual
      return emails
    },
  }
}

describe.each([true, false])('nothing leaves after the answer of (commands sent ahead: %s)', (offered) => {
  beforeAll(() => server.offerPipelining(offered))

  test.each(some)('%s, while two workers send and the mail server takes its time before it %s', async (_name, _what, plan) => {
    const campaign = await sending(14)
    const { ctx, id, key, projectId } = campaign
    const [mine, theirs] = [await claim(world, projectId, 'campaign'), await claim(other, projectId, 'campaign')]
    expect([mine.length, theirs.length]).toEqual([10, 4])
    const held = await server.hold(plan.at)
    const delivering = Promise.all([deliverAll(world, mine), deliverAll(other, theirs)])
    await held.asked
    const answering = plan.stop(id, key)
    await until(() => isStopped(ctx, id, plan.how))
    held.release()
    await answering
    const atAnswer = server.contents()
    await delivering
    await expectNothingLeft(campaign, atAnswer, 14)
  })

  test.each(others)('%s, while the mail server takes longer than the answer waits before it %s', async (_name, _what, plan) => {
    const campaign = await sending(3)
    const { ctx, id, key, projectId } = campaign
    const mine = await claim(world, projectId, 'campaign')
    const held = await server.hold(plan.at)
    const delivering = deliverAll(world, mine)
    await held.asked
    const answering = plan.stop(id, key)
    await until(() => isStopped(ctx, id, plan.how))
    turn(10_000)
    for (const email of mine) email.readAt -= 10_000
    await answering
    const atAnswer = server.contents()
    held.release()
    await delivering
    await expectNothingLeft(campaign, atAnswer, 3)
  })
})

describe('nothing leaves after the answer of', () => {
  test.each(stops)('%s, when a claim that began before ends only afterwards', async (_name, how, stop) => {
    const campaign = await sending(3)
    const { id, key, projectId, before } = campaign
    const late = await lateClaim(projectId)
    await stop(id, key)
    const theirs = await late.end()
    // Those that are put aside are not claimed any more.
    expect(theirs.map(({ campaign: state }) => state)).toEqual(how === 'paused' ? [] : [null, null, null])
    await deliverAll(other, theirs)
    await expectNothingLeft(campaign, before, 3)
  })

  test.each(stops)('%s, when a worker is told only afterwards what it has claimed', async (_name, how, stop) => {
    const campaign = await sending(3)
    const { ctx, id, key, projectId, before } = campaign
    const told = Promise.withResolvers<void>()
    const { lookups } = other.db
    const { run } = lookups
    lookups.run = async (asked, values) => {
      const rows = await run<never>(asked, values)
      if (asked.name === claimTurns.name) await told.promise
      return rows
    }
    const claiming = claim(other, projectId, 'campaign')
    await until(async () => (await world.db.prisma.delivery.count({ where: { projectId, claim: { not: null } } })) === 3)
    const answering = stop(id, key)
    await until(() => isStopped(ctx, id, how))
    turn(10_000)
    await answering
    told.resolve()
    const theirs = await claiming
    lookups.run = run
    expect(theirs.map(({ campaign: state }) => state)).toEqual([null, null, null])
    await deliverAll(other, theirs)
    await expectNothingLeft(campaign, before, 3)
  })
})

test('what a claim that ends late has taken of a campaign that was cancelled, and sent again, does not leave: each is reached once', async () => {
  const campaign = await sending(3)
  const { ctx, id, key, projectId, before } = campaign
  const late = await lateClaim(projectId)
  expect((await call(`POST /campaigns/${id}/cancel`, undefined, { key })).body.status).toBe('DRAFT')
  await sendCampaign(ctx, { id })
  const theirs = await late.end()
  expect(theirs).toHaveLength(3)
  await deliverAll(other, theirs)
  expect(server.contents()).toBe(before)
  expect(await runUntil(world, ctx, id, 'SENT')).toMatchObject({ sentCount: 3 })
  expect(server.contents() - before).toBe(3)
})
