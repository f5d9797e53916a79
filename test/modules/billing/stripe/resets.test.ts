import { beforeEach, describe, expect, test } from 'vitest'
import { reportUsage } from '../../../../src/modules/billing/stripe/report.ts'
import { sendCampaign } from '../../../../src/modules/campaigns/sending/send.ts'
import { deliverClaimed } from '../../../../src/modules/emails/delivery/attempt.ts'
import { deliveryIdle, sweepEmails } from '../../../../src/modules/emails/delivery/worker.ts'
import { closeProject, openProject } from '../../../../src/modules/projects/erase.ts'
import { deleteProject } from '../../../../src/modules/resets/resets.ts'
import { deleteSteps, resetSteps } from '../../../../src/modules/resets/steps.ts'
import { addContacts, deliver, drafted, step } from '../../../help/campaigns.ts'
import { holder } from '../../../help/holder.ts'
import { payer } from '../../../help/payer.ts'
import { fakeStripe } from '../../../help/stripe.ts'
import { until } from '../../../help/until.ts'
import { claim } from '../../../help/workers.ts'
import { testWorld } from '../../../help/world.ts'

const stripe = await fakeStripe()
const server = { asked: Promise.withResolvers<void>(), answers: Promise.resolve() }
const mailServer = {
  async send() {
    server.asked.resolve()
    await server.answers
    return { kind: 'accepted' as const, response: '250 ok' }
  },
  check: async () => null,
  async close() {},
}
const world = await testWorld({ env: { ...stripe.env, FREE_MAILS_PER_MONTH: '60' }, mailServer })

/** Turns the clock to the 10th of the next month. */
function turnToNextMonth(): void {
  const now = world.clock.now()
  world.clock.turn(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 10) - now.getTime())
}

beforeEach(() => {
  Object.assign(server, { asked: Promise.withResolvers<void>(), answers: Promise.resolve() })
  turnToNextMonth()
})

/** A paying project with a campaign to 50 contacts, which are queued, and what empties the project as a reset does. */
async function queuedCampaign() {
  const made = await payer(world, stripe)
  const { ctx, projectId, subscribe } = made
  await subscribe()
  await addContacts(ctx, 50)
  await sendCampaign(ctx, { id: (await drafted(ctx)).id })
  await step(world)
  const close = () => closeProject(world.db, { projectId, at: world.clock.now() })
  const empty = async () => {
    await close()
    for (const erase of resetSteps) while ((await erase(world, projectId)) > 0);
    await openProject(world.db, projectId)
  }
  const usage = async () => {
    const rows = await world.db.prisma.billingUsage.findMany({ where: { projectId, category: { in: ['campaigns', 'deferred'] } } })
    return rows.reduce((sum, { count }) => sum + count, 0)
  }
  const deferred = () => world.db.prisma.billingDeferral.count({ where: { projectId } })
  return { ...made, close, empty, usage, deferred }
}

const nothingWaits = (projectId: string) =>
  until(async () => (await world.db.prisma.delivery.count({ where: { projectId, claim: null } })) === 0)

describe('a campaign whose project is emptied is billed', () => {
  test('when something of it has left, before a worker has seen that', async () => {
    const { empty, usage, deferred, events, nowInSeconds } = await queuedCampaign()
    await deliver(world)
    expect(await deferred()).toBe(1)
    await empty()
    expect([await usage(), await deferred()]).toEqual([50, 0])
    await reportUsage(world)
    expect(events()).toEqual([[50, nowInSeconds()]])
  })

  test('in the month in which it is emptied, when it was charged in an earlier one', async () => {
    const { empty, usage, events, nowInSeconds } = await queuedCampaign()
    await reportUsage(world)
    turnToNextMonth()
    await deliver(world)
    turnToNextMonth()
    await empty()
    expect(await usage()).toBe(50)
    await reportUsage(world)
    expect(events()).toEqual([[50, nowInSeconds()]])
  })

  test('when it is with a mail server that does not answer', async () => {
    const { projectId, empty, usage, deferred, total } = await queuedCampaign()
    const answers = Promise.withResolvers<void>()
    server.answers = answers.promise
    await sweepEmails(world)
    await server.asked.promise
    let isEmpty = false
    const emptied = empty().then(() => {
      isEmpty = true
    })
    await nothingWaits(projectId)
    await until(async () => {
      world.clock.turn(10_000)
      return isEmpty
    })
    await emptied
    answers.resolve()
    await deliveryIdle(world)
    expect([await usage(), await deferred()]).toEqual([50, 0])
    await reportUsage(world)
    expect(total()).toBe(50)
  })

  test('when one ended of which nobody knows whether it has left, because its worker was killed', async () => {
    const { projectId, close, empty, usage, deferred } = await queuedCampaign()
    const { prisma } = world.db
    const [one] = await prisma.email.findMany({ where: { projectId }, take: 1 })
    await prisma.delivery.updateMany({ where: { projectId, emailId: one?.id ?? '' }, data: { uncertain: true } })
    await close()
    await deliver(world)
    expect(await prisma.email.findFirst({ where: { projectId, id: one?.id ?? '' } })).toMatchObject({ status: 'FAILED' })
    expect(await prisma.delivery.count({ where: { projectId, uncertain: true } })).toBe(0)
    await empty()
    expect([await usage(), await deferred()]).toEqual([50, 0])
  })

  test('when a worker was about to claim it', async () => {
    const { projectId, empty, usage } = await queuedCampaign()
    const { run, waitedFor, commit } = await holder(world)
    // As the statement of a worker does that has read the project before it was closed.
    await run(
      `update deliveries set worker = 'gone', claim = 'claim', attempts = 1 where (project_id, email_id) in
         (select project_id, email_id from deliveries where project_id = $1 order by email_id limit 1)`,
      [projectId],
    )
    let isEmpty = false
    const emptied = empty().then(() => {
      isEmpty = true
    })
    await waitedFor()
    await commit()
    await nothingWaits(projectId)
    await until(async () => {
      world.clock.turn(10_000)
      return isEmpty
    })
    await emptied
    expect(await usage()).toBe(50)
  })

  test('when its subscription has ended and its project is deleted', async () => {
    const { ctx, projectId, cancel, deferred, total } = await queuedCampaign()
    await deliver(world)
    await cancel()
    await deleteProject(ctx, { id: projectId })
    for (const erase of deleteSteps) while ((await erase(world, projectId)) > 0);
    await reportUsage(world)
    expect([await deferred(), total()]).toEqual([0, 50])
    expect(await world.db.prisma.billingUsage.count({ where: { projectId } })).toBe(0)
  })
})

describe('a campaign whose project is emptied is not billed', () => {
  test('when it waits in the queue', async () => {
    const { empty, usage, deferred, total } = await queuedCampaign()
    await empty()
    expect([await usage(), await deferred()]).toEqual([0, 0])
    await reportUsage(world)
    expect(total()).toBe(0)
  })

  test('when a worker has claimed it, and finds that it may not leave any more', async () => {
    const { projectId, empty, usage, deferred, total } = await queuedCampaign()
    const emails = await claim(world, projectId, 'campaign')
    const emptied = empty()
    await nothingWaits(projectId)
    for (const email of emails) {
      email.readAt -= 300
      await deliverClaimed(world, email)
    }
    await emptied
    expect([emails.length, await usage(), await deferred()]).toEqual([10, 0, 0])
    await reportUsage(world)
    expect(total()).toBe(0)
  })
})
