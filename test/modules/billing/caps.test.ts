import { describe, expect, test } from 'vitest'
import { callIn } from '../../../src/kit/context.ts'
import { Failure } from '../../../src/kit/errors.ts'
import { statement } from '../../../src/kit/postgres/db.ts'
import type { World } from '../../../src/kit/world.ts'
import { getBillingLimits, updateBillingLimits } from '../../../src/modules/billing/limits.ts'
import { periodOf } from '../../../src/modules/billing/period.ts'
import { findBillingAccount } from '../../../src/modules/billing/sql.ts'
import { sendEmail } from '../../../src/modules/emails/accept/send.ts'
import { SendDraft } from '../../../src/modules/emails/accept/shapes.ts'
import { holder } from '../../help/holder.ts'
import { sendingProject } from '../../help/mails.ts'
import { until } from '../../help/until.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld()
const other = await testWorld({ databaseUrl: world.databaseUrl })
type Project = Awaited<ReturnType<typeof sendingProject>>

let serial = 0
const someone = () => `to${serial++}@example.com`
const people = (count: number) => Array.from({ length: count }, someone)
const inWorld = (on: World, { projectId, ctx: { actor } }: Project) => callIn(on, { projectId, actor, requestId: 'req_test' })

function send(project: Project, more: object = {}, on: World = world) {
  return sendEmail(inWorld(on, project), SendDraft.parse({ to: someone(), from: 'hello@demo.test', subject: 'Hi', body: 'Hi', ...more }))
}

/** How many of the calls were accepted; every other one must have been refused for the cap. */
async function accepted(calls: Promise<unknown>[]): Promise<number> {
  const ends = await Promise.allSettled(calls)
  const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
  for (const reason of refused) expect(reason).toMatchObject({ code: 'BILLING_LIMIT_EXCEEDED', status: 402 })
  return calls.length - refused.length
}

const holdContacts = statement<object>('test_hold_contacts', 'select id from contacts where project_id = $1 for update')
const waiting = statement<object>(
  'test_waiting',
  `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  { allProjects: 'a test waits for its own database' },
)

/** The same process, but after it has read the caps it waits for `hold`. */
function withHeldAccounts(on: World, hold: () => Promise<void>): World {
  const run: World['db']['run'] = async (asked, values) => {
    const rows = await on.db.run(asked, values)
    if (asked.name === findBillingAccount.name) await hold()
    return rows
  }
  return { ...on, db: { ...on.db, run } }
}

const capped = async (transactional: number): Promise<Project> => {
  const project = await sendingProject(world)
  await updateBillingLimits(project.ctx, { id: project.projectId, transactional })
  return project
}
const usageOf = async ({ ctx, projectId }: Project) => (await getBillingLimits(ctx, { id: projectId })).transactional
const storedOf = async ({ projectId }: Project) => ({
  mails: await world.db.prisma.email.count({ where: { projectId } }),
  contacts: await world.db.prisma.contact.count({ where: { projectId } }),
  contents: await world.db.prisma.emailContent.count({ where: { projectId } }),
})

describe('a cap is enforced exactly', () => {
  test('under parallel sends of two processes, with and without idempotency keys; refused calls write nothing', async () => {
    const project = await capped(60)
    const free = await sendingProject(world)
    const keyed = (on: World, key: string) => {
      const ctx = { ...inWorld(on, project), idempotency: { key, fingerprint: key } }
      return sendEmail(ctx, SendDraft.parse({ to: someone(), from: 'hello@demo.test', subject: 'Hi', body: 'Hi' }))
    }
    const mine = Array.from({ length: 120 }, (_, at) => {
      const on = at % 2 === 0 ? world : other
      return at % 5 === 0 ? keyed(on, `key ${at}`) : send(project, {}, on)
    })
    const others = Array.from({ length: 40 }, () => send(free))
    expect(await accepted(mine)).toBe(60)
    expect(await accepted(others)).toBe(40)
    expect(await storedOf(project)).toEqual({ mails: 60, contacts: 60, contents: 60 })
    expect(await usageOf(project)).toEqual({ limit: 60, usage: 60, percentage: 100, isWarning: true, isBlocked: true })
    expect((await usageOf(free)).usage).toBe(40)
  })

  test('for calls with many recipients: a call fits as a whole or not at all, and a smaller one may still fit', async () => {
    const project = await capped(100)
    await send(project, { to: people(90) })
    await expect(send(project, { to: people(11) })).rejects.toThrow(
      /cap for transactional email is 100 per month: 90 used, 11 more requested\. The next month begins \d{4}-\d\d-01T00:00:00\.000Z/,
    )
    await expect(send(project, { to: people(11) })).rejects.toThrow(Failure)
    await send(project, { to: people(10) })
    expect(await storedOf(project)).toEqual({ mails: 100, contacts: 100, contents: 2 })
  })

  test('while it is being set: what was accepted before counts, and no shard escapes the cap', async () => {
    const project = await sendingProject(world)
    const before = Array.from({ length: 60 }, (_, at) => send(project, {}, at % 2 === 0 ? world : other))
    const setting = updateBillingLimits(project.ctx, { id: project.projectId, transactional: 70 })
    const during = Array.from({ length: 60 }, (_, at) => send(project, {}, at % 2 === 0 ? world : other))
    const counting = accepted([...before, ...during])
    await setting
    const count = await counting
    // More than the cap may have been accepted when it is set: then usage stays where it is.
    const after = await accepted(Array.from({ length: 30 }, (_, at) => send(project, {}, at % 2 === 0 ? world : other)))
    expect((await storedOf(project)).mails).toBe(count + after)
    expect((await usageOf(project)).usage).toBe(count + after)
    expect(count + after).toBe(Math.max(70, count))
  })
})

describe('a call that began before a cap was set', () => {
  // The call has read that there is no cap, and waits for a locked contact while the cap is set.
  async function startedBefore(cap: number): Promise<{ project: Project; call: Promise<unknown> }> {
    const project = await sendingProject(world)
    const [held = '', ...more] = people(5)
    await send(project, { to: held })
    const call = await other.db.transaction(async (tx) => {
      await tx.run(holdContacts, [project.projectId])
      const call = send(project, { to: [held, ...more], data: { plan: 'pro' } })
      call.catch(() => undefined)
      await until(async () => (await other.db.run(waiting, [])).length > 0)
      await updateBillingLimits(inWorld(other, project), { id: project.projectId, transactional: cap })
      return { call }
    })
    return { project, ...call }
  }

  test('is refused when it does not fit under it', async () => {
    const { project, call } = await startedBefore(5)
    await expect(call).rejects.toMatchObject({ code: 'BILLING_LIMIT_EXCEEDED' })
    expect(await usageOf(project)).toMatchObject({ limit: 5, usage: 1 })
    expect((await storedOf(project)).mails).toBe(1)
  })

  test('is accepted when it does, and counts', async () => {
    const { project, call } = await startedBefore(6)
    await call
    expect(await usageOf(project)).toMatchObject({ limit: 6, usage: 6 })
    await expect(send(project)).rejects.toMatchObject({ code: 'BILLING_LIMIT_EXCEEDED' })
  })
})

describe('a cap that is set around the end of a month', () => {
  /** Two processes, of which the second one is a second ahead of the first, in whose last half second of the month a project counts. */
  async function atTheEnd() {
    const [behind, ahead] = [await testWorld({ databaseUrl: world.databaseUrl }), await testWorld({ databaseUrl: world.databaseUrl })]
    const end = periodOf(behind.clock.now()).end
    behind.clock.turn(end.getTime() - behind.clock.now().getTime() - 500)
    ahead.clock.turn(end.getTime() - ahead.clock.now().getTime() + 500)
    return { behind, ahead, end, project: await sendingProject(world) }
  }

  test('holds for what another process has counted in the next month, which has begun by its clock', async () => {
    const { behind, ahead, project } = await atTheEnd()
    for (let n = 0; n < 10; n++) await send(project, {}, ahead)
    await updateBillingLimits(inWorld(behind, project), { id: project.projectId, transactional: 15 })
    expect(await accepted(Array.from({ length: 40 }, () => send(project, {}, ahead)))).toBe(5)
    behind.clock.turn(1_000)
    await expect(send(project, {}, behind)).rejects.toMatchObject({ code: 'BILLING_LIMIT_EXCEEDED' })
    await updateBillingLimits(inWorld(ahead, project), { id: project.projectId, transactional: null })
    await send(project, {}, behind)
  })

  test('removes one there as well', async () => {
    const { behind, ahead, project } = await atTheEnd()
    await updateBillingLimits(inWorld(ahead, project), { id: project.projectId, transactional: 1 })
    await send(project, {}, ahead)
    await updateBillingLimits(inWorld(behind, project), { id: project.projectId, transactional: null })
    expect(await accepted(Array.from({ length: 10 }, () => send(project, {}, ahead)))).toBe(10)
  })

  test('holds in the month after that as well, which another process has limited already', async () => {
    const { behind, ahead, end, project } = await atTheEnd()
    await updateBillingLimits(inWorld(ahead, project), { id: project.projectId, transactional: 15 })
    await updateBillingLimits(inWorld(behind, project), { id: project.projectId, transactional: 5 })
    ahead.clock.turn(periodOf(end).end.getTime() - ahead.clock.now().getTime() + 500)
    expect(await accepted(Array.from({ length: 10 }, () => send(project, {}, ahead)))).toBe(5)
  })

  test('holds in the month in which its turn comes, and in the one after it', async () => {
    const { behind, end, project } = await atTheEnd()
    const ctx = inWorld(behind, project)
    await updateBillingLimits(ctx, { id: project.projectId, transactional: 5 })
    const { run, waitedFor, commit } = await holder(world)
    await run('select 1 from billing_accounts where project_id = $1 for update', [project.projectId])
    const setting = updateBillingLimits(ctx, { id: project.projectId, transactional: 3 })
    await waitedFor()
    behind.clock.turn(1_000)
    await commit()
    await setting
    const ceilings = await world.db.prisma.billingUsage.findMany({ where: { projectId: project.projectId, slot: 0, ceiling: 3 } })
    expect(ceilings.map(({ period }) => period).toSorted((one, other) => Number(one) - Number(other))).toEqual([end, periodOf(end).end])
  })
})

describe('what counts', () => {
  test('recipients once each, cc and bcc too', async () => {
    const project = await sendingProject(world)
    await send(project, { to: ['a@example.com', 'A@example.com', 'b@example.com'] })
    await send(project, { cc: ['c@example.com'], bcc: ['d@example.com', 'e@example.com'] })
    expect(await usageOf(project)).toEqual({ limit: null, usage: 6, percentage: 0, isWarning: false, isBlocked: false })
    await send(project, { to: 'f@bücher.example', cc: ['F@xn--bcher-kva.example', 'g@example.com'], bcc: ['g@example.com'] })
    expect((await usageOf(project)).usage).toBe(8)
  })

  test('not a refused call, and not the replay of an idempotent one, which also succeeds at the cap', async () => {
    const project = await capped(1)
    const ctx = () => ({ ...inWorld(world, project), idempotency: { key: 'once', fingerprint: 'f' } })
    const draft = SendDraft.parse({ to: 'ada@example.com', from: 'hello@demo.test', subject: 'Hi', body: 'Hi' })
    await expect(send(project, { from: 'hello@elsewhere.test' })).rejects.toMatchObject({ code: 'DOMAIN_NOT_VERIFIED' })
    const first = await sendEmail(ctx(), draft)
    await expect(send(project)).rejects.toMatchObject({ code: 'BILLING_LIMIT_EXCEEDED' })
    expect(await sendEmail(ctx(), draft)).toEqual(first)
    expect((await usageOf(project)).usage).toBe(1)
  })

  test('a refused idempotent call frees its key', async () => {
    const project = await capped(1)
    await send(project)
    const ctx = () => ({ ...inWorld(world, project), idempotency: { key: 'later', fingerprint: 'f' } })
    const draft = SendDraft.parse({ to: 'ada@example.com', from: 'hello@demo.test', subject: 'Hi', body: 'Hi' })
    await expect(sendEmail(ctx(), draft)).rejects.toMatchObject({ code: 'BILLING_LIMIT_EXCEEDED' })
    await updateBillingLimits(project.ctx, { id: project.projectId, transactional: null })
    expect((await sendEmail(ctx(), draft)).emails).toHaveLength(1)
  })
})

describe('a cap that changes', () => {
  test('applies at once in every process, and a raised one allows more email at once', async () => {
    const project = await capped(2)
    await send(project, { to: people(2) })
    for (const on of [world, other]) await expect(send(project, {}, on)).rejects.toThrow(/cap for transactional/)
    await updateBillingLimits(project.ctx, { id: project.projectId, transactional: 4 })
    await send(project, {}, other)
    await send(project, {}, world)
    for (const on of [world, other]) await expect(send(project, {}, on)).rejects.toThrow(/is 4 per month: 4 used/)
  })

  test('is not undone in a process where a lookup of the old cap was under way', async () => {
    const project = await capped(2)
    await send(project, { to: people(2) })
    const hasRead = Promise.withResolvers<void>()
    const mayContinue = Promise.withResolvers<void>()
    const held = withHeldAccounts(world, async () => {
      hasRead.resolve()
      await mayContinue.promise
    })
    const refused = expect(send(project, {}, held)).rejects.toThrow(/is 2 per month: 2 used/)
    await hasRead.promise
    await updateBillingLimits(project.ctx, { id: project.projectId, transactional: 4 })
    mayContinue.resolve()
    await refused
    await send(project, { to: people(2) }, held)
    expect(await usageOf(project)).toMatchObject({ limit: 4, usage: 4 })
  })

  test('below current usage refuses everything and takes nothing back', async () => {
    const project = await sendingProject(world)
    await send(project, { to: people(5) })
    await updateBillingLimits(project.ctx, { id: project.projectId, transactional: 3 })
    await expect(send(project)).rejects.toThrow(/is 3 per month: 5 used/)
    expect(await usageOf(project)).toMatchObject({ limit: 3, usage: 5, percentage: 166.67, isBlocked: true })
  })

  test('starts again with the next month, in UTC', async () => {
    const mine = await testWorld({ databaseUrl: world.databaseUrl })
    const project = await capped(1)
    await send(project, {}, mine)
    await expect(send(project, {}, mine)).rejects.toMatchObject({ code: 'BILLING_LIMIT_EXCEEDED' })
    const now = mine.clock.now()
    mine.clock.turn(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1) - now.getTime() - 1)
    await expect(send(project, {}, mine)).rejects.toMatchObject({ code: 'BILLING_LIMIT_EXCEEDED' })
    mine.clock.turn(1)
    await send(project, {}, mine)
    await expect(send(project, {}, mine)).rejects.toMatchObject({ code: 'BILLING_LIMIT_EXCEEDED' })
    expect(await getBillingLimits(inWorld(mine, project), { id: project.projectId })).toMatchObject({
      transactional: { usage: 1, limit: 1 },
    })
  })
})
