import { describe, expect, test } from 'vitest'
import { deleteContact, upsertContact } from '../../../../src/modules/contacts/contacts.ts'
import { testServer } from '../../../help/server.ts'
import { drawn, enable, lead, pathOf, runAll, step } from '../../../help/workflows.ts'
import { freshProject } from '../../../help/world.ts'

const { call, world } = await testServer()

async function waitingWorkflow(draft: object = {}) {
  const project = await freshProject(world)
  const { ctx } = project
  const { id } = await drawn(ctx, draft)
  const delay = await step(ctx, { id }, { type: 'DELAY', name: 'A day', config: { amount: 1, unit: 'days' } })
  const exit = await step(ctx, { id }, { config: { reason: 'done' } })
  await lead(ctx, { id }, delay, exit)
  await enable(ctx, { id })
  const contact = await upsertContact(ctx, { email: 'ada@example.com' })
  return { ...project, id, delay, exit, contactId: contact.id, key: project.secret }
}

describe('POST /workflows/:id/executions', () => {
  test('201 starts an execution with a context, which waits at its delay and ends with the reason of its exit', async () => {
    const { ctx, id, delay, contactId, key } = await waitingWorkflow()
    const { status, body } = await call(`POST /workflows/${id}/executions`, { contactId, context: { plan: 'pro' } }, { key })
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^exe_/),
        workflowId: id,
        workflow: { id, name: 'Onboarding' },
        version: 1,
        contactId,
        contact: { id: contactId, email: 'ada@example.com' },
        status: 'RUNNING',
        currentStepId: delay.id,
        currentStep: { id: delay.id, name: 'A day', type: 'DELAY' },
        exitReason: null,
        context: { plan: 'pro' },
        stepExecutions: [],
        startedAt: world.clock.now().toISOString(),
        completedAt: null,
        createdAt: world.clock.now().toISOString(),
        updatedAt: world.clock.now().toISOString(),
      },
    ])
    await runAll(world)
    const waiting = await call(`GET /workflows/${id}/executions/${body.id}`, undefined, { key })
    expect(waiting.body).toMatchObject({ status: 'WAITING', stepExecutions: [{ status: 'WAITING', input: { amount: 1, unit: 'days' } }] })
    world.clock.turn(86_400_000 - 1)
    await runAll(world)
    expect(await pathOf(ctx, { id, executionId: body.id })).toEqual(['DELAY WAITING'])
    world.clock.turn(1)
    await runAll(world)
    expect(await pathOf(ctx, { id, executionId: body.id })).toEqual(['DELAY COMPLETED', 'EXIT COMPLETED'])
    const ended = await call(`GET /workflows/${id}/executions/${body.id}`, undefined, { key })
    expect(ended.body).toMatchObject({ status: 'EXITED', exitReason: 'done', completedAt: world.clock.now().toISOString() })
  })

  test('201 completes at once what has no step', async () => {
    const { ctx, secret: key } = await freshProject(world)
    const { id } = await drawn(ctx)
    await enable(ctx, { id })
    const contact = await upsertContact(ctx, { email: 'ada@example.com' })
    const { status, body } = await call(`POST /workflows/${id}/executions`, { contactId: contact.id }, { key })
    expect([status, body.status, body.currentStepId, body.context]).toEqual([201, 'COMPLETED', null, null])
  })

  test('409 for a disabled workflow, while one is under way, and when the contact may not enter again; one starts however many come', async () => {
    const { ctx, id, contactId, key } = await waitingWorkflow()
    const start = () => call(`POST /workflows/${id}/executions`, { contactId }, { key })
    const answers = await Promise.all(Array.from({ length: 8 }, start))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body.error.code).toBe('EXECUTION_ACTIVE')
    await call(`POST /workflows/${id}/executions/cancel-all`, undefined, { key })
    expect((await start()).body.error.code).toBe('CONFLICT')
    await call(`PATCH /workflows/${id}`, { allowReentry: true }, { key })
    expect((await start()).status).toBe(201)
    await call(`PATCH /workflows/${id}`, { enabled: false }, { key })
    const other = await upsertContact(ctx, { email: 'bob@example.com' })
    expect((await call(`POST /workflows/${id}/executions`, { contactId: other.id }, { key })).body.error.code).toBe('WORKFLOW_DISABLED')
    expect((await call(`GET /workflows/${id}/executions`, undefined, { key })).body.total).toBe(2)
  })

  test('201 EXITED by the guard against loops after 100 starts within an hour', async () => {
    const { ctx, projectId, secret: key } = await freshProject(world)
    const { id } = await drawn(ctx, { allowReentry: true })
    await step(ctx, { id })
    await enable(ctx, { id })
    const { id: contactId } = await upsertContact(ctx, { email: 'ada@example.com' })
    const where = { projectId_workflowId_contactId: { projectId, workflowId: id, contactId } }
    const start = async () => (await call(`POST /workflows/${id}/executions`, { contactId }, { key })).body
    expect((await start()).status).toBe('RUNNING')
    await runAll(world)
    await ctx.db.prisma.workflowEntry.update({ where, data: { starts: 99 } })
    expect((await start()).status).toBe('RUNNING')
    await runAll(world)
    expect(await start()).toMatchObject({ status: 'EXITED', exitReason: 'loop guard', stepExecutions: [] })
    world.clock.turn(3_600_000)
    expect((await start()).status).toBe('RUNNING')
  })

  test('404 for a workflow or contact of another project, or a deleted contact, and 422 for what is no context; nothing starts', async () => {
    const { ctx, id, contactId, key } = await waitingWorkflow()
    const other = await waitingWorkflow()
    const start = async (workflow: string, body: object) =>
      (await call(`POST /workflows/${workflow}/executions`, body, { key })).body.error.code
    expect(await start(other.id, { contactId })).toBe('RESOURCE_NOT_FOUND')
    expect(await start(id, { contactId: other.contactId })).toBe('CONTACT_NOT_FOUND')
    expect(await start(id, { contactId, context: [] })).toBe('VALIDATION_ERROR')
    expect(await start(id, { contactId, context: { text: 'x'.repeat(300_000) } })).toBe('VALIDATION_ERROR')
    await deleteContact(ctx, { id: contactId })
    expect(await start(id, { contactId })).toBe('CONTACT_NOT_FOUND')
    expect((await call(`GET /workflows/${id}/executions`, undefined, { key })).body.total).toBe(0)
  })
})

describe('GET /workflows/:id/executions', () => {
  test('200 pages, newest first, of a state; 400 for an unknown state; 404 for another project', async () => {
    const { ctx, id, key } = await waitingWorkflow()
    const ids: string[] = []
    for (const name of ['a', 'b', 'c']) {
      const contact = await upsertContact(ctx, { email: `${name}@example.com` })
      ids.push((await call(`POST /workflows/${id}/executions`, { contactId: contact.id }, { key })).body.id)
    }
    await call(`DELETE /workflows/${id}/executions/${ids[1]}`, undefined, { key })
    const page = await call(`GET /workflows/${id}/executions?pageSize=2`, undefined, { key })
    expect(page.body).toMatchObject({ total: 3, totalPages: 2, data: [{ id: ids[2] }, { id: ids[1] }] })
    expect(page.body.executions).toEqual(page.body.data)
    const cancelled = await call(`GET /workflows/${id}/executions?status=CANCELLED`, undefined, { key })
    expect(cancelled.body).toMatchObject({ total: 1, data: [{ id: ids[1], exitReason: 'Cancelled by user' }] })
    expect((await call(`GET /workflows/${id}/executions?status=DONE`, undefined, { key })).status).toBe(400)
    const other = await freshProject(world)
    expect((await call(`GET /workflows/${id}/executions`, undefined, { key: other.secret })).status).toBe(404)
    expect((await call(`GET /workflows/${id}/executions/${ids[0]}`, undefined, { key: other.secret })).status).toBe(404)
  })
})

describe('DELETE /workflows/:id/executions/:executionId', () => {
  test('200 cancels, and no further step is done; 409 when it has ended; the workflow cannot be deleted before', async () => {
    const { ctx, id, contactId, key } = await waitingWorkflow()
    const { body } = await call(`POST /workflows/${id}/executions`, { contactId }, { key })
    await runAll(world)
    expect((await call(`DELETE /workflows/${id}`, undefined, { key })).body.error.code).toBe('WORKFLOW_ACTIVE')
    const cancelled = await call(`DELETE /workflows/${id}/executions/${body.id}`, undefined, { key })
    expect([cancelled.status, cancelled.body.status, cancelled.body.exitReason]).toEqual([200, 'CANCELLED', 'Cancelled by user'])
    world.clock.turn(2 * 86_400_000)
    await runAll(world)
    expect(await pathOf(ctx, { id, executionId: body.id })).toEqual(['DELAY CANCELLED'])
    expect((await call(`DELETE /workflows/${id}/executions/${body.id}`, undefined, { key })).status).toBe(409)
    expect((await call(`DELETE /workflows/${id}/executions/exe_x`, undefined, { key })).status).toBe(404)
    expect((await call(`DELETE /workflows/${id}`, undefined, { key })).status).toBe(204)
  })
})

describe('POST /workflows/:id/executions/cancel-all', () => {
  test('200 counts those that had not ended', async () => {
    const { ctx, id, contactId, key } = await waitingWorkflow()
    const other = await upsertContact(ctx, { email: 'bob@example.com' })
    for (const contact of [contactId, other.id]) await call(`POST /workflows/${id}/executions`, { contactId: contact }, { key })
    await runAll(world)
    const first = await call(`POST /workflows/${id}/executions/cancel-all`, undefined, { key })
    const second = await call(`POST /workflows/${id}/executions/cancel-all`, undefined, { key })
    expect([first.body, second.body]).toEqual([{ cancelled: 2 }, { cancelled: 0 }])
    expect((await call('POST /workflows/wfl_x/executions/cancel-all', undefined, { key })).status).toBe(404)
  })
})
