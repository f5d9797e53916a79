import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { createTemplate } from '../../../../src/modules/templates/templates.ts'
import { advanceDue, runnerIdle } from '../../../../src/modules/workflows/run/worker.ts'
import type { WorkflowDraft } from '../../../../src/modules/workflows/shapes.ts'
import { followEvents } from '../../../../src/modules/workflows/triggers/triggers.ts'
import { sendingProject } from '../../../help/mails.ts'
import { drawn, enable, runAll, step } from '../../../help/workflows.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld()
await followEvents(world)
const lookMs = 300_000
const hourMs = 3_600_000

/** A contact at a step that sends, whose sender domain is not verified at the moment. */
async function waiting(draft: Partial<WorkflowDraft> = {}) {
  const { ctx, projectId } = await sendingProject(world)
  const template = { name: 'Welcome', subject: 'Welcome', body: '<p>Hello</p>', from: 'hello@demo.test' }
  const { id: templateId } = await createTemplate(ctx, template as Parameters<typeof createTemplate>[1])
  const { id } = await drawn(ctx, draft)
  await step(ctx, { id }, { type: 'SEND_EMAIL', templateId })
  await enable(ctx, { id })
  const set = (status: 'PENDING' | 'VERIFIED') => ctx.db.prisma.domain.updateMany({ where: { projectId }, data: { status } })
  await set('PENDING')
  world.clock.turn(60_000)
  await happens(ctx, 'signed-up')
  await runAll(world)
  return { ctx, set, ended: () => ended(ctx) }
}

const happens = (ctx: Ctx, event: string) => trackEvent(ctx, { email: 'ada@example.com', event } as Parameters<typeof trackEvent>[1])

async function ended({ db, projectId }: Ctx) {
  const found = await db.prisma.workflowExecution.findMany({ where: { projectId }, include: { steps: true } })
  const executions = found.map(({ status, reason, steps: [did] }) => ({ status, reason, did: did?.status, output: did?.output }))
  return { executions, emails: await db.prisma.email.count({ where: { projectId } }) }
}

/** The runner comes before the reader of the log. */
async function runsFirst(): Promise<void> {
  while (await advanceDue(world)) await runnerIdle(world)
  for (let turn = 0; turn < 3; turn++) {
    await runAll(world)
    world.clock.turn(60_000)
  }
}

test('SEND_EMAIL waits while the sender domain is not verified, for up to 24 hours', async () => {
  const reason = 'The sender domain of hello@demo.test is not verified at the moment.'
  const output = { waiting: reason }
  const [tooLong, later] = [await waiting(), await waiting()]
  for (const { ended } of [tooLong, later])
    expect(await ended()).toEqual({ executions: [{ status: 'WAITING', reason: null, did: 'WAITING', output }], emails: 0 })
  await later.set('VERIFIED')
  world.clock.turn(lookMs)
  await runAll(world)
  expect(await later.ended()).toMatchObject({ executions: [{ status: 'COMPLETED' }], emails: 1 })
  world.clock.turn(23 * hourMs - lookMs)
  await runAll(world)
  expect(await tooLong.ended()).toMatchObject({ executions: [{ status: 'WAITING' }], emails: 0 })
  world.clock.turn(hourMs)
  await runAll(world)
  const givenUp = expect.stringContaining(`Given up after 24 hours: ${reason}`)
  expect(await tooLong.ended()).toMatchObject({ executions: [{ status: 'FAILED', reason: givenUp }], emails: 0 })
})

describe.each([
  ['before', 60_000],
  ['after', lookMs + 60_000],
])('what happens %s it was to look at its domain again', (_when, ms) => {
  test('and ends the execution, ends it though it is not read yet: SEND_EMAIL sends nothing', async () => {
    const { ctx, set, ended } = await waiting({ exitEvents: ['bought'] })
    world.clock.turn(ms)
    await happens(ctx, 'bought')
    await set('VERIFIED')
    world.clock.turn(lookMs)
    await runsFirst()
    expect(await ended()).toMatchObject({ executions: [{ status: 'EXITED' }], emails: 0 })
  })

  test('and would start the workflow again, starts nothing: there is an execution already', async () => {
    const { ctx, set, ended } = await waiting({ allowReentry: true })
    world.clock.turn(ms)
    await happens(ctx, 'signed-up')
    await set('VERIFIED')
    world.clock.turn(lookMs)
    await runsFirst()
    expect(await ended()).toMatchObject({ executions: [{ status: 'COMPLETED' }], emails: 1 })
  })
})

test('what ends the execution before it is given up, ends it though it is not read yet', async () => {
  const { ctx, ended } = await waiting({ exitEvents: ['bought'] })
  world.clock.turn(24 * hourMs - 60_000)
  await happens(ctx, 'bought')
  world.clock.turn(120_000)
  await runsFirst()
  expect(await ended()).toMatchObject({ executions: [{ status: 'EXITED' }], emails: 0 })
})
