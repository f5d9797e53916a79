import { expect, test } from 'vitest'
import { sendingProject } from '../help/mails.ts'
import { testServer } from '../help/server.ts'
import { until } from '../help/until.ts'

const { call, world } = await testServer({ worker: true, running: true })

test('a workflow made with the documented calls sends its email when the event is tracked', async () => {
  const { secret: key, public: publicKey, projectId } = await sendingProject(world)
  const post = async (path: string, body: object) => (await call(`POST ${path}`, body, { key })).body
  const template = await post('/templates', {
    name: 'Hi',
    subject: 'Welcome to {{ event.plan }}',
    body: '<p>Hi {{ name }}</p>',
    from: 'hello@demo.test',
  })
  const { id } = await post('/workflows', { name: 'Onboarding', eventName: 'signed_up' })
  const ask = await post(`/workflows/${id}/steps`, {
    type: 'CONDITION',
    name: 'Paid?',
    position: { x: 0, y: 0 },
    config: { field: 'event.plan', operator: 'equals', value: 'pro' },
  })
  const send = await post(`/workflows/${id}/steps`, { type: 'SEND_EMAIL', name: 'Welcome', config: {}, templateId: template.id })
  const end = await post(`/workflows/${id}/steps`, { type: 'EXIT', name: 'End', config: { reason: 'free' } })
  await post(`/workflows/${id}/transitions`, { fromStepId: ask.id, toStepId: send.id, branch: 'yes' })
  await post(`/workflows/${id}/transitions`, { fromStepId: ask.id, toStepId: end.id, branch: 'no' })
  expect((await call(`PATCH /workflows/${id}`, { enabled: true }, { key })).body).toMatchObject({ enabled: true, issues: [] })
  const track = (email: string, plan: string) =>
    call('POST /v1/track', { email, event: 'signed_up', data: { plan, name: 'Ada' } }, { key: publicKey })
  expect((await track('ada@example.com', 'pro')).status).toBe(200)
  expect((await track('bob@example.com', 'free')).status).toBe(200)
  const captured = () => world.db.prisma.capturedMail.findMany({ where: { projectId } })
  await until(async () => (await captured()).length === 1)
  const list = async () => (await call(`GET /workflows/${id}/executions`, undefined, { key })).body.data
  await until(async () => (await list()).every(({ completedAt }: { completedAt: string | null }) => completedAt !== null))
  const found = (await list()).map(({ contact, status, exitReason }: Record<string, { email: string }>) => [
    contact?.email,
    status,
    exitReason,
  ])
  expect(found.sort()).toEqual([
    ['ada@example.com', 'COMPLETED', null],
    ['bob@example.com', 'EXITED', 'free'],
  ])
  const { body } = await call('GET /emails', undefined, { key })
  expect(body.data).toMatchObject([{ source: 'WORKFLOW', toAddress: 'ada@example.com', subject: 'Welcome to pro', status: 'SENT' }])
})
