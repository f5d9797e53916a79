import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../../src/kit/context.ts'
import { trackEvent } from '../../../../src/modules/contacts/track.ts'
import { takeTurn, turnLimits } from '../../../../src/modules/workflows/lines/turn.ts'
import { handleAll, handleDue, maxFailures } from '../../../../src/modules/workflows/lines/worker.ts'
import { followEvents } from '../../../../src/modules/workflows/triggers/triggers.ts'
import { logEvents } from '../../../help/lines.ts'
import { until } from '../../../help/until.ts'
import { drawn, enable, step } from '../../../help/workflows.ts'
import { freshProject, logSettled, testWorld } from '../../../help/world.ts'

const world = await testWorld()
const other = await testWorld({ databaseUrl: world.databaseUrl })
await followEvents(world)
const { prisma } = world.db

const track = (ctx: Ctx, event: string, email = 'ada@example.com') => trackEvent(ctx, { email, event } as Parameters<typeof trackEvent>[1])
const read = async () => {
  await logSettled(world)
  while (await followEvents(world));
}
const executions = (projectId: string) => prisma.workflowExecution.count({ where: { projectId } })
const waitingLines = (projectId: string) => prisma.workflowLine.count({ where: { projectId } })

/** A project with contacts that have each done the same, which starts some workflows. */
async function busyProject({ lines, workflows = 1, data = {} }: { lines: number; workflows?: number; data?: object }) {
  const { ctx, projectId } = await freshProject(world)
  for (let nth = 0; nth < workflows; nth++) {
    const { id } = await drawn(ctx)
    await step(ctx, { id }, { type: 'DELAY', config: { amount: 1, unit: 'days' } })
    await enable(ctx, { id })
  }
  const now = world.clock.now()
  const contacts = Array.from({ length: lines }, (_, at) => ({ id: `cnt_${at}`, email: `c${at}@example.com` }))
  await prisma.contact.createMany({ data: contacts.map((one) => ({ ...one, projectId, createdAt: now, updatedAt: now })) })
  await logEvents(
    world,
    projectId,
    contacts.map(({ id }) => ({ name: 'signed-up', contactId: id, data })),
    now,
  )
  return { ctx, projectId }
}

describe('a turn', () => {
  test('starts at most 200 executions, and at least what one event starts', async () => {
    const { projectId } = await busyProject({ lines: 30, workflows: 20 })
    await read()
    expect(await takeTurn(world, projectId)).toEqual({ handled: turnLimits.executions / 20, left: 'more' })
    expect(await executions(projectId)).toBe(turnLimits.executions)
    expect(await takeTurn(world, projectId, 1)).toMatchObject({ handled: 1 })
    await handleAll(world)
    expect([await executions(projectId), await waitingLines(projectId)]).toEqual([600, 0])
  })

  test('handles about 4 MB of data', async () => {
    const text = Array.from({ length: 40_000 }, (_, at) => Math.sin(at).toString(36).slice(2, 10)).join('')
    const { projectId } = await busyProject({ lines: 40, data: { text } })
    await read()
    const { handled } = await takeTurn(world, projectId)
    expect([handled > 5, handled < 30]).toEqual([true, true])
    await handleAll(world)
  })
})

test('the events of a project do not wait for those of another, nor for those of many of one account', async () => {
  const owner = await prisma.user.create({
    data: { id: 'usr_busy', email: 'busy@example.com', createdAt: world.clock.now(), updatedAt: world.clock.now() },
  })
  const busy: string[] = []
  for (let nth = 0; nth < 4; nth++) {
    const { projectId } = await busyProject({ lines: 400, workflows: 5 })
    await prisma.membership.create({ data: { projectId, userId: owner.id, role: 'OWNER', createdAt: world.clock.now() } })
    busy.push(projectId)
  }
  const { ctx, projectId } = await freshProject(world, 'Victim')
  const { id } = await drawn(ctx)
  await step(ctx, { id })
  await enable(ctx, { id })
  await track(ctx, 'signed-up')
  await read()
  const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0)
  const left = async () => sum(await Promise.all(busy.map(waitingLines)))
  await handleDue(world)
  await until(async () => (await executions(projectId)) === 1)
  expect(await left()).toBeGreaterThan(800)
  await handleAll(world)
  expect([await left(), sum(await Promise.all(busy.map(executions)))]).toEqual([0, 4 * 400 * 5])
})

test('two processes let each event start its executions once', async () => {
  const { projectId } = await busyProject({ lines: 300, workflows: 3 })
  await read()
  for (let round = 0; round < 3; round++) await Promise.all([handleAll(world), handleAll(other)])
  await until(async () => (await handleAll(other)) === 0 && (await waitingLines(projectId)) === 0)
  expect(await executions(projectId)).toBe(900)
  expect(await prisma.event.count({ where: { projectId, name: 'workflow.started' } })).toBe(900)
})

test('of a project with 100,000 events that wait the next ones are noted later, none is lost, and the others go on', async () => {
  const { ctx, projectId } = await freshProject(world)
  const { id } = await drawn(ctx)
  await step(ctx, { id })
  await enable(ctx, { id })
  // As if there were as many between them.
  await prisma.workflowLine.createMany({
    data: [1, 100_000].map((place) => ({ projectId, place, id: `evt_${place}`, contactId: 'cnt_x' })),
  })
  for (const name of ['a', 'b', 'c']) await track(ctx, 'signed-up', `${name}@example.com`)
  const second = await busyProject({ lines: 2 })
  await read()
  expect([await waitingLines(projectId), await waitingLines(second.projectId)]).toEqual([2, 2])
  await track(ctx, 'signed-up', 'd@example.com')
  await read()
  expect(await waitingLines(projectId)).toBe(2)
  await until(async () => {
    await handleAll(world)
    return (await executions(projectId)) === 4
  })
  await handleAll(world)
  expect(await prisma.workflowBacklog.count({ where: { projectId } })).toBe(0)
  await track(ctx, 'signed-up', 'e@example.com')
  await read()
  await handleAll(world)
  expect(await executions(projectId)).toBe(5)
})

test('an event that cannot be handled is set aside, and holds up neither others of its project nor those of another', async () => {
  const { ctx, projectId } = await freshProject(world)
  const { id } = await drawn(ctx)
  await step(ctx, { id })
  await enable(ctx, { id })
  await prisma.$executeRawUnsafe(`create function refuse() returns trigger language plpgsql as $$ begin
    if new.contact_id = (select id from contacts where project_id = new.project_id and email = 'poison@example.com') then
      raise exception 'poison' using errcode = '23514'; end if; return new; end $$`)
  await prisma.$executeRawUnsafe('create trigger refuse before insert on workflow_executions for each row execute function refuse()')
  for (const name of ['a', 'poison', 'b']) await track(ctx, 'signed-up', `${name}@example.com`)
  await read()
  for (let tries = 0; tries < maxFailures + 3; tries++) await handleAll(world)
  expect([await executions(projectId), await waitingLines(projectId)]).toEqual([2, 0])
  expect(await prisma.logLineSetAside.findMany({ where: { projectId } })).toMatchObject([
    { reader: 'workflows', name: 'signed-up', error: 'poison' },
  ])
})

test('what waits goes with its project', async () => {
  const { projectId } = await busyProject({ lines: 3 })
  await read()
  expect(await waitingLines(projectId)).toBe(3)
  await prisma.project.update({ where: { id: projectId }, data: { disabled: true } })
  await handleAll(world)
  expect([await executions(projectId), await waitingLines(projectId)]).toEqual([0, 0])
})
