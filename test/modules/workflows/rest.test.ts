import { describe, expect, test } from 'vitest'
import { upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { createTemplate } from '../../../src/modules/templates/templates.ts'
import { eraseExecutions } from '../../../src/modules/workflows/changes.ts'
import { sendingProject } from '../../help/mails.ts'
import { testServer } from '../../help/server.ts'
import { drawn, enable, lead, step, withExecution } from '../../help/workflows.ts'
import { freshProject } from '../../help/world.ts'

const { call, world } = await testServer()
const draft = { name: 'Onboarding', eventName: 'signed-up' }

describe('POST /workflows', () => {
  test('201 answers the workflow: EVENT, disabled, without issues, also with what it does not take', async () => {
    const { secret: key } = await freshProject(world)
    const { status, body } = await call('POST /workflows', { ...draft, enabled: true, triggerType: 'MANUAL', unknown: 1 }, { key })
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^wfl_/),
        name: 'Onboarding',
        description: null,
        enabled: false,
        triggerType: 'EVENT',
        triggerConfig: { eventName: 'signed-up' },
        allowReentry: false,
        exitEvents: [],
        version: 0,
        issues: [],
        createdAt: expect.any(String),
        updatedAt: body.createdAt,
      },
    ])
    expect((await call(`GET /workflows/${body.id}`, undefined, { key })).body).toEqual({ ...body, steps: [], transitions: [] })
  })

  test('201 takes the event as triggerConfig as well, and needs none', async () => {
    const { secret: key } = await freshProject(world)
    const long = await call('POST /workflows', { name: 'A', triggerConfig: { eventName: 'x' }, exitEvents: ['a', 'b', 'a'] }, { key })
    const none = await call('POST /workflows', { name: 'B', description: 'Later', allowReentry: true }, { key })
    expect([long.body.triggerConfig, long.body.exitEvents]).toEqual([{ eventName: 'x' }, ['a', 'b']])
    expect(none.body).toMatchObject({ triggerConfig: null, description: 'Later', allowReentry: true })
  })

  test.each([
    ['no name', { name: undefined }, 'name'],
    ['a name of two lines', { name: 'a\nb' }, 'name'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'name'],
    ['an empty event', { eventName: '' }, 'eventName'],
    ['a number for the event', { triggerConfig: { eventName: 7 } }, 'triggerConfig.eventName'],
    ['21 exit events', { exitEvents: Array.from({ length: 21 }, (_, at) => `e${at}`) }, 'exitEvents'],
    ['text for allowReentry', { allowReentry: 'yes' }, 'allowReentry'],
  ])('422 for %s, and nothing is created', async (_what, change, field) => {
    const { secret: key } = await freshProject(world)
    const { status, body } = await call('POST /workflows', { ...draft, ...change }, { key })
    expect([status, body.error.errors[0].field]).toEqual([422, field])
    expect((await call('GET /workflows', undefined, { key })).body.total).toBe(0)
  })

  test('409 LIMIT_REACHED beyond 500 workflows, however many calls come at once', async () => {
    const { ctx, projectId, secret: key } = await freshProject(world)
    const now = world.clock.now()
    const rows = Array.from({ length: 498 }, (_, at) => ({ projectId, id: `wfl_${at}`, name: 'W', createdAt: now, updatedAt: now }))
    await ctx.db.prisma.workflow.createMany({ data: rows })
    const answers = await Promise.all(Array.from({ length: 6 }, () => call('POST /workflows', draft, { key })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body.error.code).toBe('LIMIT_REACHED')
    const copied = await call('POST /workflows/wfl_0/duplicate', undefined, { key })
    expect([copied.status, copied.body.error.code]).toEqual([409, 'LIMIT_REACHED'])
  })
})

describe('GET /workflows', () => {
  test('200 pages, newest first, with the same list as workflows, and finds a part of name or description', async () => {
    const { ctx, secret: key } = await freshProject(world)
    const first = await drawn(ctx, { name: '50% off', description: 'Spring' })
    const second = await drawn(ctx, { name: '50 of them' })
    const page = await call('GET /workflows?pageSize=1', undefined, { key })
    expect(page.body).toMatchObject({ total: 2, page: 1, pageSize: 1, totalPages: 2, data: [{ id: second.id }] })
    expect(page.body.workflows).toEqual(page.body.data)
    const found = async (search: string) =>
      (await call(`GET /workflows?search=${encodeURIComponent(search)}`, undefined, { key })).body.data.map(({ id }: { id: string }) => id)
    expect([await found('50%'), await found('SPRING'), await found('them'), await found('x_')]).toEqual([
      [first.id],
      [first.id],
      [second.id],
      [],
    ])
  })

  test.each(['page=0', 'pageSize=101', 'page=x'])('400 for %s', async (query) => {
    const { secret: key } = await freshProject(world)
    const { status, body } = await call(`GET /workflows?${query}`, undefined, { key })
    expect([status, body.error.code]).toEqual([400, 'BAD_REQUEST'])
  })
})

describe('PATCH /workflows/:id', () => {
  test('200 changes what is given, null empties description and trigger, and a change of nothing changes no time', async () => {
    const { ctx, secret: key } = await freshProject(world)
    const { id } = await drawn(ctx, { description: 'Old', exitEvents: ['left'] })
    world.clock.turn(1_000)
    const changed = await call(
      `PATCH /workflows/${id}`,
      { name: 'New', description: null, triggerType: 'MANUAL', triggerConfig: null },
      { key },
    )
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { name: 'New', description: null, triggerType: 'MANUAL', triggerConfig: null, exitEvents: ['left'] },
    ])
    expect(changed.body.updatedAt).not.toBe(changed.body.createdAt)
    world.clock.turn(1_000)
    expect((await call(`PATCH /workflows/${id}`, { name: 'New' }, { key })).body).toEqual(changed.body)
    expect((await call(`PATCH /workflows/${id}`, {}, { key })).body).toEqual(changed.body)
  })

  test.each([
    ['the trigger SCHEDULE', { triggerType: 'SCHEDULE' }, 'triggerType'],
    ['a number for a name', { name: 7 }, 'name'],
    ['null for a name', { name: null }, 'name'],
    ['text for enabled', { enabled: 'true' }, 'enabled'],
  ])('422 for %s, and nothing is changed', async (_what, change, field) => {
    const { ctx, secret: key } = await freshProject(world)
    const workflow = await drawn(ctx)
    const { status, body } = await call(`PATCH /workflows/${workflow.id}`, { name: 'New', ...change }, { key })
    expect([status, body.error.errors[0].field]).toEqual([422, field])
    expect((await call(`GET /workflows/${workflow.id}`, undefined, { key })).body.name).toBe('Onboarding')
  })
})

describe('DELETE /workflows/:id', () => {
  test('204 deletes it with its steps; what it has left goes behind it, and that of others stays', async () => {
    const { ctx, projectId, secret: key } = await sendingProject(world)
    const { id: templateId } = await createTemplate(ctx, { subject: 'Hi', body: 'Hi', from: 'hello@demo.test' })
    const { id: contactId } = await upsertContact(ctx, { email: 'ada@example.com' })
    const [{ workflow }, other] = [
      await withExecution(world, { ctx, contactId, templateId }),
      await withExecution(world, { ctx, contactId, templateId }),
    ]
    const active = await call(`DELETE /workflows/${workflow.id}`, undefined, { key })
    expect([active.status, active.body.error.code]).toEqual([409, 'WORKFLOW_ACTIVE'])
    await world.db.prisma.workflowExecution.updateMany({ where: { projectId, workflowId: workflow.id }, data: { status: 'COMPLETED' } })
    expect(await call(`DELETE /workflows/${workflow.id}`, undefined, { key })).toMatchObject({ status: 204, body: '' })
    expect((await call(`GET /workflows/${workflow.id}`, undefined, { key })).status).toBe(404)
    await eraseExecutions(ctx, { projectId, workflowId: workflow.id })
    const where = { projectId }
    const { workflowExecution, workflowEntry, workflowStepCount, workflowStepExecution, workflowStep } = world.db.prisma
    expect((await workflowExecution.findMany({ where })).map((row) => row.id)).toEqual([other.executionId])
    expect((await workflowEntry.findMany({ where })).map((row) => row.workflowId)).toEqual([other.workflow.id])
    expect((await workflowStepCount.findMany({ where })).map((row) => row.workflowId)).toEqual([other.workflow.id])
    expect([await workflowStepExecution.count({ where }), await workflowStep.count({ where })]).toEqual([1, 2])
  })
})

describe('POST /workflows/:id/duplicate', () => {
  test('201 copies settings, steps and transitions under new ids, disabled', async () => {
    const { ctx, secret: key } = await freshProject(world)
    const source = await drawn(ctx, { exitEvents: ['left'], allowReentry: true })
    const [wait, exit] = [
      await step(ctx, source, { type: 'WAIT_FOR_EVENT', config: { eventName: 'paid', timeout: 60 } }),
      await step(ctx, source),
    ]
    await lead(ctx, source, wait, exit, 'event')
    await lead(ctx, source, wait, exit, 'timeout')
    await enable(ctx, source)
    const copy = await call(`POST /workflows/${source.id}/duplicate`, undefined, { key })
    expect([copy.status, copy.body]).toMatchObject([
      201,
      {
        name: 'Onboarding (Copy)',
        enabled: false,
        version: 0,
        exitEvents: ['left'],
        allowReentry: true,
        triggerConfig: { eventName: 'signed-up' },
      },
    ])
    const { body: original } = await call(`GET /workflows/${source.id}`, undefined, { key })
    const { body } = await call(`GET /workflows/${copy.body.id}`, undefined, { key })
    const drawing = ({ steps, transitions }: typeof body) => ({
      steps: steps.map(({ type, name, config, position }: typeof body) => ({ type, name, config, position })),
      transitions: transitions.map(({ branch, fromStepId, toStepId }: typeof body) => [branch, ...[fromStepId, toStepId].map(nth(steps))]),
    })
    const nth = (steps: { id: string }[]) => (id: string) => steps.findIndex((one) => one.id === id)
    expect(drawing(body)).toEqual(drawing(original))
    const ids = (one: typeof body) => [...one.steps, ...one.transitions].map(({ id }: { id: string }) => id)
    expect(ids(body).filter((id: string) => ids(original).includes(id))).toEqual([])
  })
})

test('404 for a workflow, a step or a transition of another project or workflow', async () => {
  const { ctx, secret: key } = await freshProject(world)
  const [workflow, other] = [await drawn(ctx), await drawn(ctx)]
  const [wait, exit] = [await step(ctx, other, { type: 'DELAY' }), await step(ctx, other)]
  const { id: transition } = await lead(ctx, other, wait, exit)
  const foreign = await freshProject(world)
  const answers = await Promise.all([
    call(`GET /workflows/${workflow.id}`, undefined, { key: foreign.secret }),
    call(`PATCH /workflows/${workflow.id}/steps/${wait.id}`, { name: 'X' }, { key }),
    call(`DELETE /workflows/${workflow.id}/steps/${wait.id}`, undefined, { key }),
    call(`DELETE /workflows/${workflow.id}/transitions/${transition}`, undefined, { key }),
    call(`POST /workflows/${workflow.id}/transitions`, { fromStepId: wait.id, toStepId: exit.id }, { key }),
  ])
  expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(answers.map(() => [404, 'RESOURCE_NOT_FOUND']))
  expect((await call(`GET /workflows/${other.id}`, undefined, { key })).body).toMatchObject({
    steps: [{ id: wait.id }, { id: exit.id }],
    transitions: [{ id: transition }],
  })
})
