import { describe, expect, test } from 'vitest'
import { createTemplate } from '../../../../src/modules/templates/templates.ts'
import { sendingProject } from '../../../help/mails.ts'
import { testServer } from '../../../help/server.ts'
import { drawn, lead, step } from '../../../help/workflows.ts'
import { freshProject } from '../../../help/world.ts'

const { call, world } = await testServer()

async function withWorkflow() {
  const project = await freshProject(world)
  const workflow = await drawn(project.ctx)
  const path = `/workflows/${workflow.id}`
  const key = project.secret
  const read = async () => (await call(`GET ${path}`, undefined, { key })).body
  const add = (body: object) => call(`POST ${path}/steps`, body, { key })
  return { ...project, workflow, path, key, read, add }
}

describe('POST /workflows/:id/steps', () => {
  test('201 puts a step no farther down than steps may stand, and the workflow can be read', async () => {
    const { add, read } = await withWorkflow()
    await add({ type: 'DELAY', position: { x: 0, y: 1_000_000 } })
    const { status, body } = await add({ type: 'EXIT' })
    expect([status, body.position]).toEqual([201, { x: 0, y: 1_000_000 }])
    expect((await read()).steps).toHaveLength(2)
  })

  test('201 answers the step with the name of its type, an empty config and a place below the others', async () => {
    const { add, read } = await withWorkflow()
    const first = await add({ type: 'DELAY' })
    const second = await add({
      type: 'EXIT',
      name: 'The end',
      position: { x: 10.5, y: -20 },
      config: { reason: 'done', unknown: 1, old: null },
    })
    const third = await add({ type: 'WEBHOOK', config: null })
    expect([first.status, first.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^stp_/),
        type: 'DELAY',
        name: 'Delay',
        position: { x: 0, y: 0 },
        config: {},
        templateId: null,
        outgoingTransitions: [],
        incomingTransitions: [],
      },
    ])
    expect(second.body).toMatchObject({ name: 'The end', position: { x: 10.5, y: -20 }, config: { reason: 'done' } })
    expect(third.body.position).toEqual({ x: 0, y: 150 })
    expect((await read()).steps).toEqual([first.body, second.body, third.body])
  })

  test('autoConnect leads from the newest step that leads nowhere, by its first exit', async () => {
    const { add, read } = await withWorkflow()
    const { body: condition } = await add({ type: 'CONDITION', autoConnect: true })
    const { body: exit } = await add({ type: 'EXIT', autoConnect: true })
    expect(exit.incomingTransitions).toEqual([
      {
        id: expect.stringMatching(/^trn_/),
        fromStepId: condition.id,
        toStepId: exit.id,
        branch: 'yes',
        condition: { branch: 'yes' },
        priority: 0,
      },
    ])
    const { body: apart } = await add({ type: 'EXIT', autoConnect: true })
    expect(apart.incomingTransitions).toEqual([])
    expect((await read()).transitions).toEqual(exit.incomingTransitions)
  })

  test('a template stands on the step or in its config, and is answered in both', async () => {
    const { ctx, secret: key } = await sendingProject(world)
    const { id: templateId } = await createTemplate(ctx, { subject: 'Hi', body: 'Hi', from: 'hello@demo.test' })
    const { id } = await drawn(ctx)
    const add = async (body: object) => (await call(`POST /workflows/${id}/steps`, { type: 'SEND_EMAIL', ...body }, { key })).body
    const both = { templateId, config: { templateId } }
    const onStep = await add({ templateId })
    expect([onStep, await add({ config: { templateId } }), await add({ templateId, config: { templateId: null } })]).toMatchObject([
      both,
      both,
      both,
    ])
    const path = `PATCH /workflows/${id}/steps/${onStep.id}`
    expect((await call(path, { config: { recipient: { type: 'CUSTOM', customEmail: ' A@B.test ' } } }, { key })).body).toMatchObject({
      templateId,
      config: { templateId, recipient: { type: 'CUSTOM', customEmail: 'a@b.test' } },
    })
    expect((await call(path, { templateId: null }, { key })).body).toMatchObject({
      templateId: null,
      config: { recipient: { type: 'CUSTOM' } },
    })
    expect((await call(path, { config: { templateId } }, { key })).body).toMatchObject(both)
    expect((await call(path, { config: { templateId: null } }, { key })).body).toMatchObject({ templateId: null, config: {} })
  })

  test('404 TEMPLATE_NOT_FOUND for a template of another project, 422 for one on another type of step', async () => {
    const other = await sendingProject(world)
    const { id: templateId } = await createTemplate(other.ctx, { subject: 'Hi', body: 'Hi', from: 'hello@demo.test' })
    const { add, read } = await withWorkflow()
    const foreign = await add({ type: 'SEND_EMAIL', templateId })
    const inConfig = await add({ type: 'SEND_EMAIL', config: { templateId: 'tpl_x' } })
    const wrong = await add({ type: 'DELAY', templateId })
    const number = await add({ type: 'SEND_EMAIL', config: { templateId: 7 } })
    expect([foreign, inConfig].map(({ status, body }) => [status, body.error.code])).toEqual(Array(2).fill([404, 'TEMPLATE_NOT_FOUND']))
    expect([wrong, number].map(({ status, body }) => [status, body.error.errors[0].field])).toEqual([
      [422, 'templateId'],
      [422, 'config.templateId'],
    ])
    expect((await read()).steps).toEqual([])
  })

  test.each([
    ['no type', {}, 'type'],
    ['a TRIGGER, which is no step', { type: 'TRIGGER' }, 'type'],
    ['a list for a config', { type: 'EXIT', config: [] }, 'config'],
    ['a position without y', { type: 'EXIT', position: { x: 1 } }, 'position.y'],
    ['a position that is not finite', { type: 'EXIT', position: { x: 1e300, y: 0 } }, 'position.x'],
    ['a name of two lines', { type: 'EXIT', name: 'a\nb' }, 'name'],
    ['a config of more than 64 KB', { type: 'WEBHOOK', config: { body: 'x'.repeat(65_536) } }, 'config'],
  ])('422 for %s, and nothing is added', async (_what, body, field) => {
    const { add, read } = await withWorkflow()
    const answer = await add(body)
    expect([answer.status, answer.body.error.errors[0].field]).toEqual([422, field])
    expect((await read()).steps).toEqual([])
  })

  test('422 when the configs of all steps have more than 256 KB together', async () => {
    const { add } = await withWorkflow()
    const large = { type: 'WEBHOOK', config: { body: 'x'.repeat(60_000) } }
    for (let n = 0; n < 4; n++) expect((await add(large)).status).toBe(201)
    const answer = await add(large)
    expect([answer.status, answer.body.error.errors[0]]).toMatchObject([
      422,
      { field: 'config', message: expect.stringContaining('256 KB') },
    ])
  })

  test('409 LIMIT_REACHED beyond 100 steps, however many calls come at once', async () => {
    const { ctx, workflow, add, read, projectId } = await withWorkflow()
    const now = world.clock.now()
    const rows = Array.from({ length: 98 }, (_, at) => ({
      projectId,
      workflowId: workflow.id,
      id: `stp_${at}`,
      type: 'EXIT' as const,
      name: 'E',
      x: 0,
      y: 0,
      config: {},
      createdAt: now,
      updatedAt: now,
    }))
    await ctx.db.prisma.workflowStep.createMany({ data: rows })
    const answers = await Promise.all(Array.from({ length: 5 }, () => add({ type: 'EXIT' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409])
    expect((await read()).steps).toHaveLength(100)
  })
})

describe('PATCH /workflows/:id/steps/:stepId', () => {
  test('200 changes what is given and replaces the config; the type stays', async () => {
    const { ctx, workflow, path, key } = await withWorkflow()
    const delay = await step(ctx, workflow, { type: 'DELAY', config: { amount: 1, unit: 'days' } })
    const changed = await call(`PATCH ${path}/steps/${delay.id}`, { name: 'Later', position: { x: 1, y: 2 }, type: 'EXIT' }, { key })
    expect([changed.status, changed.body]).toEqual([200, { ...delay, name: 'Later', position: { x: 1, y: 2 } }])
    expect((await call(`PATCH ${path}/steps/${delay.id}`, { config: { amount: 2 } }, { key })).body.config).toEqual({ amount: 2 })
  })

  test('422 for a config that its type does not take, and nothing is changed', async () => {
    const { ctx, workflow, path, key, read } = await withWorkflow()
    const delay = await step(ctx, workflow, { type: 'DELAY', config: { amount: 1, unit: 'days' } })
    const { status, body } = await call(`PATCH ${path}/steps/${delay.id}`, { name: 'X', config: { amount: 'two', unit: 'weeks' } }, { key })
    expect([status, body.error.errors.map(({ field }: { field: string }) => field)]).toEqual([422, ['config.amount', 'config.unit']])
    expect((await read()).steps).toEqual([delay])
  })
})

describe('DELETE /workflows/:id/steps/:stepId', () => {
  async function line() {
    const workflow = await withWorkflow()
    const { ctx } = workflow
    const steps = []
    for (const type of ['CONDITION', 'DELAY', 'WAIT_FOR_EVENT', 'EXIT'] as const) steps.push(await step(ctx, workflow.workflow, { type }))
    const [condition, delay, wait, exit] = steps as [(typeof steps)[0], (typeof steps)[0], (typeof steps)[0], (typeof steps)[0]]
    await lead(ctx, workflow.workflow, condition, delay, 'yes')
    await lead(ctx, workflow.workflow, condition, delay, 'no')
    await lead(ctx, workflow.workflow, delay, wait)
    await lead(ctx, workflow.workflow, wait, exit, 'event')
    const ways = async () =>
      (await workflow.read()).transitions.map(({ fromStepId, toStepId, branch }: Record<string, string>) => [fromStepId, toStepId, branch])
    const remove = (id: string, query = '') => call(`DELETE ${workflow.path}/steps/${id}${query}`, undefined, { key: workflow.key })
    return { ...workflow, condition, delay, wait, exit, ways, remove }
  }

  test('204 removes only the step and its own transitions', async () => {
    const { condition, wait, exit, delay, remove, ways, read } = await line()
    expect(await remove(delay.id)).toMatchObject({ status: 204, body: '' })
    expect(await ways()).toEqual([[wait.id, exit.id, 'event']])
    expect((await read()).steps.map(({ id }: { id: string }) => id)).toEqual([condition.id, wait.id, exit.id])
    expect((await remove(delay.id)).status).toBe(404)
  })

  test('with splice=true what led to it leads to the step after it, by the same exits', async () => {
    const { condition, wait, exit, delay, remove, ways } = await line()
    expect((await remove(delay.id, '?splice=true')).status).toBe(204)
    expect(await ways()).toEqual([
      [condition.id, wait.id, 'yes'],
      [condition.id, wait.id, 'no'],
      [wait.id, exit.id, 'event'],
    ])
    expect((await remove(wait.id, '?splice=true')).status).toBe(204)
    expect(await ways()).toEqual([
      [condition.id, exit.id, 'yes'],
      [condition.id, exit.id, 'no'],
    ])
    expect((await remove(exit.id, '?splice=true')).status).toBe(204)
    expect(await ways()).toEqual([])
  })

  test('409 CONFLICT for a splice of a step with several exits, and nothing is removed', async () => {
    const { ctx, workflow, condition, wait, exit, remove, read, ways } = await line()
    await lead(ctx, workflow, wait, exit, 'timeout')
    const before = await ways()
    for (const { id } of [condition, wait]) {
      const { status, body } = await remove(id, '?splice=true')
      expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
    }
    expect([await ways(), (await read()).steps.length]).toEqual([before, 4])
    expect((await remove(wait.id, '?splice=maybe')).status).toBe(400)
  })
})
