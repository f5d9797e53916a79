import { describe, expect, test } from 'vitest'
import { createSegment, deleteSegment } from '../../../../src/modules/segments/segments.ts'
import { createTemplate } from '../../../../src/modules/templates/templates.ts'
import { updateWorkflow } from '../../../../src/modules/workflows/changes.ts'
import { getWorkflow } from '../../../../src/modules/workflows/graph/graph.ts'
import { deleteWorkflowStep, updateWorkflowStep } from '../../../../src/modules/workflows/graph/steps.ts'
import { sendingProject } from '../../../help/mails.ts'
import { testServer } from '../../../help/server.ts'
import { drawn, enable, lead, step } from '../../../help/workflows.ts'
import { freshProject } from '../../../help/world.ts'

const { call, world } = await testServer()

async function withTemplate() {
  const project = await sendingProject(world)
  const { id: templateId } = await createTemplate(project.ctx, { subject: 'Hi', body: 'Hi', from: 'hello@demo.test' })
  const issuesOf = async (id: string) =>
    (await getWorkflow(project.ctx, { id })).issues.map(({ code, severity, stepId }) => [code, severity, stepId])
  const versions = (id: string) =>
    world.db.prisma.workflowVersion.findMany({ where: { projectId: project.projectId, workflowId: id }, orderBy: { version: 'asc' } })
  return { ...project, templateId, issuesOf, versions }
}

describe('PATCH /workflows/:id with enabled', () => {
  test('200 for a workflow without steps, also without an event', async () => {
    const { ctx, secret: key } = await freshProject(world)
    const { id } = await drawn(ctx, { eventName: undefined })
    const { status, body } = await call(`PATCH /workflows/${id}`, { enabled: true }, { key })
    expect([status, body]).toMatchObject([200, { enabled: true, version: 1, issues: [] }])
  })

  test('422 for an enabled workflow whose event is taken away says that nothing would start it, and changes nothing', async () => {
    const { ctx, secret: key } = await freshProject(world)
    const { id } = await drawn(ctx)
    await step(ctx, { id })
    await enable(ctx, { id })
    const { status, body } = await call(`PATCH /workflows/${id}`, { triggerConfig: null }, { key })
    expect([status, body.error]).toMatchObject([
      422,
      {
        message:
          'The workflow is enabled, and nothing would start it any more: The trigger is EVENT, and names no event that starts an execution.',
        suggestion: 'Name another event in "triggerConfig", or disable the workflow first.',
        errors: [{ field: 'triggerConfig.eventName', code: 'missing_event' }],
      },
    ])
    expect(await getWorkflow(ctx, { id })).toMatchObject({ enabled: true, triggerConfig: { eventName: 'signed-up' } })
    const disabled = await call(`PATCH /workflows/${id}`, { triggerConfig: null, enabled: false }, { key })
    expect([disabled.status, disabled.body.enabled]).toEqual([200, false])
  })

  test('422 names each reachable step that must fail, and changes nothing', async () => {
    const { ctx, secret: key } = await freshProject(world)
    const workflow = await drawn(ctx, { eventName: undefined })
    const types = ['SEND_EMAIL', 'DELAY', 'WEBHOOK', 'UPDATE_CONTACT', 'WAIT_FOR_EVENT', 'CONDITION'] as const
    const steps: { id: string }[] = []
    for (const type of types) steps.push(await step(ctx, workflow, { type, autoConnect: true }))
    const { status, body } = await call(`PATCH /workflows/${workflow.id}`, { enabled: true, name: 'New' }, { key })
    expect([status, body.error.code, body.error.errors]).toEqual([
      422,
      'VALIDATION_ERROR',
      [
        { field: 'triggerConfig.eventName', code: 'missing_event', message: expect.stringContaining('names no event') },
        ...[
          ['missing_template', 'The step "Send email" has no template.'],
          ['incomplete', 'The config of the step "Delay" needs "amount".'],
          ['incomplete', 'The config of the step "Webhook" needs "url".'],
          ['incomplete', 'The config of the step "Update contact" needs "updates" or "subscriptionAction".'],
          ['incomplete', 'The config of the step "Wait for event" needs "eventName".'],
          ['incomplete', 'The config of the step "Condition" needs "field" and "operator", or a "condition".'],
        ].map(([code, message], at) => ({ field: `steps.${steps[at]?.id}`, code, message })),
      ],
    ])
    expect((await call(`GET /workflows/${workflow.id}`, undefined, { key })).body).toMatchObject({
      enabled: false,
      version: 0,
      name: 'Onboarding',
    })
  })

  test('200 with what is wrong where no contact comes, or is only odd, as warnings', async () => {
    const { ctx, templateId, issuesOf } = await withTemplate()
    const workflow = await drawn(ctx)
    const send = await step(ctx, workflow, { type: 'SEND_EMAIL', templateId })
    const wait = await step(ctx, workflow, { type: 'WAIT_FOR_EVENT', config: { eventName: 'paid' }, autoConnect: true })
    const asks = await step(ctx, workflow, { type: 'CONDITION', config: { field: 'data.plan', operator: 'exists' }, autoConnect: true })
    const exit = await step(ctx, workflow, { autoConnect: true })
    const apart = await step(ctx, workflow, { type: 'SEND_EMAIL' })
    await lead(ctx, workflow, wait, exit, 'timeout')
    expect(await issuesOf(workflow.id)).toEqual([
      ['unused_transition', 'WARNING', wait.id],
      ['endless_wait', 'WARNING', wait.id],
      ['missing_transition', 'WARNING', asks.id],
      ['missing_template', 'WARNING', apart.id],
      ['unreachable', 'WARNING', apart.id],
    ])
    const { enabled, version } = await enable(ctx, workflow)
    expect([enabled, version, send.id]).toEqual([true, 1, send.id])
  })

  test('200 where a step that must fail stands only behind an exit that is never taken', async () => {
    const { ctx } = await withTemplate()
    const workflow = await drawn(ctx)
    const wait = await step(ctx, workflow, { type: 'WAIT_FOR_EVENT', config: { eventName: 'paid' } })
    const send = await step(ctx, workflow, { type: 'SEND_EMAIL', name: 'Reminder' })
    const end = await step(ctx, workflow)
    await lead(ctx, workflow, wait, send, 'timeout')
    await lead(ctx, workflow, send, end)
    await lead(ctx, workflow, wait, end)
    expect((await getWorkflow(ctx, workflow)).issues).toMatchObject([
      { code: 'unused_transition', stepId: wait.id },
      { code: 'endless_wait', stepId: wait.id },
      { code: 'missing_template', severity: 'WARNING', stepId: send.id },
      {
        code: 'unreachable',
        message: 'No contact comes to the step "Reminder": nothing that contacts come to leads to it.',
        stepId: send.id,
      },
    ])
    await enable(ctx, workflow)
    const timed = { id: workflow.id, stepId: wait.id, config: { eventName: 'paid', timeout: 60 } }
    await updateWorkflowStep(ctx, timed)
    expect((await getWorkflow(ctx, workflow)).issues).toMatchObject([{ code: 'missing_template', severity: 'ERROR', stepId: send.id }])
  })

  test('422 for an enabled workflow that no event would start any more', async () => {
    const { ctx, secret: key } = await freshProject(world)
    const workflow = await drawn(ctx)
    await step(ctx, workflow)
    await enable(ctx, workflow)
    const { status, body } = await call(`PATCH /workflows/${workflow.id}`, { triggerConfig: null }, { key })
    expect([status, body.error.errors[0].field]).toEqual([422, 'triggerConfig.eventName'])
    const manual = await call(`PATCH /workflows/${workflow.id}`, { triggerConfig: null, triggerType: 'MANUAL' }, { key })
    expect([manual.status, manual.body.issues]).toEqual([200, []])
  })
})

describe('versions', () => {
  test('are made when it is enabled and when its graph changes while it is, and hold what executions need', async () => {
    const { ctx, templateId, versions } = await withTemplate()
    const workflow = await drawn(ctx)
    const send = await step(ctx, workflow, { type: 'SEND_EMAIL', templateId, name: 'Welcome' })
    const wait = await step(ctx, workflow, { type: 'WAIT_FOR_EVENT', config: { eventName: 'paid', timeout: 60 }, autoConnect: true })
    const exit = await step(ctx, workflow)
    await lead(ctx, workflow, wait, exit, 'event')
    await lead(ctx, workflow, wait, exit, 'timeout')
    expect(await versions(workflow.id)).toEqual([])
    expect((await enable(ctx, workflow)).version).toBe(1)
    const [first] = await versions(workflow.id)
    expect(first?.graph).toEqual({
      entry: send.id,
      steps: [
        { id: send.id, type: 'SEND_EMAIL', name: 'Welcome', config: {}, templateId, next: [{ exit: '', stepId: wait.id }] },
        {
          id: wait.id,
          type: 'WAIT_FOR_EVENT',
          name: 'Wait for event',
          config: { eventName: 'paid', timeout: 60 },
          templateId: null,
          next: [
            { exit: '', stepId: exit.id },
            { exit: 'timeout', stepId: exit.id },
          ],
        },
        { id: exit.id, type: 'EXIT', name: 'Exit', config: {}, templateId: null, next: [] },
      ],
    })
    await deleteWorkflowStep(ctx, { id: workflow.id, stepId: wait.id, splice: false })
    expect((await getWorkflow(ctx, workflow)).version).toBe(2)
  })

  test('do not follow where steps are shown, settings, or a workflow that is disabled and enabled again', async () => {
    const { ctx, versions } = await withTemplate()
    const workflow = await drawn(ctx)
    const { id: stepId } = await step(ctx, workflow)
    await enable(ctx, workflow)
    await updateWorkflowStep(ctx, { id: workflow.id, stepId, position: { x: 7, y: 7 } })
    await updateWorkflow(ctx, { id: workflow.id, name: 'New', enabled: false })
    await enable(ctx, workflow)
    expect((await versions(workflow.id)).map(({ version }) => version)).toEqual([1])
    await updateWorkflow(ctx, { id: workflow.id, enabled: false })
    await updateWorkflowStep(ctx, { id: workflow.id, stepId, name: 'The end' })
    expect((await getWorkflow(ctx, workflow)).version).toBe(1)
    expect((await enable(ctx, workflow)).version).toBe(2)
  })

  test('that no execution started on go with the next one, others stay', async () => {
    const { ctx, projectId, versions } = await withTemplate()
    const workflow = await drawn(ctx)
    const { id: stepId } = await step(ctx, workflow)
    await enable(ctx, workflow)
    const rename = (name: string) => updateWorkflowStep(ctx, { id: workflow.id, stepId, name })
    await rename('Second')
    await world.db.prisma.workflowVersion.updateMany({ where: { projectId, workflowId: workflow.id }, data: { used: true } })
    await rename('Third')
    await rename('Fourth')
    expect((await versions(workflow.id)).map(({ version }) => version)).toEqual([2, 4])
  })

  test('wait while a step of an enabled workflow must fail: it is saved, and takes effect once it is mended', async () => {
    const { ctx, templateId, issuesOf, versions } = await withTemplate()
    const workflow = await drawn(ctx)
    const exit = await step(ctx, workflow, { type: 'DELAY', config: { amount: 1, unit: 'days' } })
    await enable(ctx, workflow)
    const send = await step(ctx, workflow, { type: 'SEND_EMAIL', autoConnect: true })
    expect(await issuesOf(workflow.id)).toEqual([['missing_template', 'ERROR', send.id]])
    expect(await getWorkflow(ctx, workflow)).toMatchObject({ enabled: true, version: 1, steps: [{ id: exit.id }, { id: send.id }] })
    await updateWorkflowStep(ctx, { id: workflow.id, stepId: send.id, templateId })
    expect(await getWorkflow(ctx, workflow)).toMatchObject({ version: 2, issues: [] })
    const [{ graph } = { graph: null }] = await versions(workflow.id)
    expect(graph).toMatchObject({ entry: exit.id, steps: [{ next: [{ exit: '', stepId: send.id }] }, { templateId }] })
  })
})

test('a condition that refers to a segment that was deleted since is an issue, in the workflow and in the list', async () => {
  const { ctx, secret: key } = await freshProject(world)
  const { id: segment } = await createSegment(ctx, { name: 'VIP', type: 'STATIC' })
  const workflow = await drawn(ctx)
  const config = { field: `segment.${segment}`, operator: 'memberOfSegment' }
  const { id: stepId } = await step(ctx, workflow, { type: 'CONDITION', config })
  await deleteSegment(ctx, { id: segment })
  const issue = {
    code: 'deleted_segment',
    severity: 'ERROR',
    message: 'The condition of "Condition" refers to a segment that was deleted: it has no members.',
    stepId,
  }
  expect((await call(`GET /workflows/${workflow.id}`, undefined, { key })).body.issues).toContainEqual(issue)
  expect((await call('GET /workflows', undefined, { key })).body.data[0].issues).toContainEqual(issue)
  expect((await call(`PATCH /workflows/${workflow.id}/steps/${stepId}`, { name: 'Asks' }, { key })).body).toMatchObject({
    name: 'Asks',
    config,
  })
  const again = await call(`PATCH /workflows/${workflow.id}/steps/${stepId}`, { config }, { key })
  expect([again.status, again.body.error.errors[0]]).toMatchObject([422, { field: 'config.field', code: 'unknown_segment' }])
})

test('at most 100 issues are answered, errors first', async () => {
  const { ctx, projectId } = await freshProject(world)
  const workflow = await drawn(ctx)
  const now = world.clock.now()
  const rows = Array.from({ length: 60 }, (_, at) => ({
    ...{ projectId, workflowId: workflow.id, id: `stp_0${at}`, type: 'DELAY' as const, name: 'D', x: 0, y: 0, config: {} },
    ...{ createdAt: now, updatedAt: now },
  }))
  await world.db.prisma.workflowStep.createMany({ data: rows })
  await step(ctx, workflow)
  const { issues } = await getWorkflow(ctx, workflow)
  expect([issues.length, issues[0]?.severity, issues[1]?.severity]).toEqual([100, 'ERROR', 'WARNING'])
})
