import { beforeEach, describe, expect, test } from 'vitest'
import { getProject } from '../../../../src/modules/projects/projects.ts'
import { cancelWorkflowExecution } from '../../../../src/modules/workflows/executions/cancel.ts'
import { isSignedWith, receiver } from '../../../help/receiver.ts'
import { hooked, seen, start } from '../../../help/webhooks.ts'
import { callAll, drawn, enable, lead, runAll, step } from '../../../help/workflows.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
const hook = await receiver()
const config = { url: hook.url }
const [second, minute, hour] = [1_000, 60_000, 3_600_000]

beforeEach(() => {
  hook.received.length = 0
  hook.answer((response) => response.end())
})

describe('a webhook that is answered', () => {
  test('sends contact, workflow, execution and event, and shows request and answer with the step', async () => {
    const { ctx } = await freshProject(world)
    hook.answer((response) => response.writeHead(201, { 'content-type': 'application/json', 'x-request-id': 'r1' }).end('{"ok":[1]}'))
    const one = await hooked(ctx, config, { context: { plan: 'pro' }, data: { name: 'Ada {{ email }}' } })
    await runAll(world)
    const [request] = hook.received
    const body = JSON.parse(request?.body ?? '')
    expect([request?.method, request?.headers['content-type'], body]).toEqual([
      'POST',
      'application/json',
      {
        contact: { email: expect.stringMatching(/^ada\d+@example.com$/), subscribed: true, data: { name: 'Ada {{ email }}' } },
        workflow: { id: one.id, name: 'Onboarding' },
        execution: { id: one.executionId, startedAt: world.clock.now().toISOString() },
        event: { plan: 'pro' },
      },
    ])
    const { status, exitReason, did } = await seen(one)
    expect([status, exitReason]).toEqual(['EXITED', 'done'])
    expect(did).toMatchObject({ status: 'COMPLETED', branch: '', attempts: 1, error: null, id: request?.headers['webhook-id'] })
    expect(did.input).toEqual({ url: hook.url, method: 'POST', headers: expect.objectContaining({ 'user-agent': 'Postwire' }), body })
    expect(did.output).toEqual({
      url: hook.url,
      method: 'POST',
      statusCode: 201,
      success: true,
      response: { ok: [1] },
      truncated: false,
      headers: { 'content-type': 'application/json', 'x-request-id': 'r1' },
      durationMs: expect.any(Number),
      attempts: [{ at: world.clock.now().toISOString(), durationMs: expect.any(Number), statusCode: 201, error: null }],
    })
    expect(await world.db.prisma.workflowCall.count({ where: { projectId: ctx.projectId } })).toBe(0)
  })

  test.each([302, 400, 404, 410])('%s completes the step without success, and is neither followed nor repeated', async (status) => {
    const { ctx } = await freshProject(world)
    hook.answer((response) => response.writeHead(status, { location: `${hook.url}/elsewhere` }).end('no'))
    const one = await hooked(ctx, config, { errorBranch: true })
    await runAll(world)
    const { exitReason, output } = await seen(one)
    expect([exitReason, hook.received.length]).toEqual(['done', 1])
    expect(output).toMatchObject({ statusCode: status, success: false, response: 'no', headers: { location: `${hook.url}/elsewhere` } })
  })

  test('GET has no body', async () => {
    const { ctx } = await freshProject(world)
    await hooked(ctx, { ...config, method: 'GET', body: { a: 1 } })
    await runAll(world)
    expect(hook.received).toMatchObject([{ method: 'GET', body: '' }])
    expect(hook.received[0]?.headers).not.toHaveProperty('content-type')
  })

  test.each([
    ['a huge answer', 'x'.repeat(3_000_000), 'text/plain', 'x'.repeat(16_384), true],
    ['JSON that Postgres does not store', '{"a":"\\u0000"}', 'application/json', '{"a":"\\u0000"}', false],
    ['JSON that is nested too deeply', '['.repeat(5_000), 'application/json', '['.repeat(5_000), false],
    ['what is no text', Buffer.from([0xff, 0, 0x41]).toString('latin1'), 'application/octet-stream', '\uFFFDA', false],
  ])('keeps the beginning of %s as text', async (_what, sent, type, kept, truncated) => {
    const { ctx } = await freshProject(world)
    hook.answer((response) => response.writeHead(200, { 'content-type': type }).end(Buffer.from(sent, 'latin1')))
    const one = await hooked(ctx, config)
    await runAll(world)
    expect((await seen(one)).output).toMatchObject({ success: true, response: kept, truncated })
  })
})

test('two webhooks in a row are two messages', async () => {
  const { ctx } = await freshProject(world)
  const { id } = await drawn(ctx)
  const first = await step(ctx, { id }, { type: 'WEBHOOK', config })
  await lead(ctx, { id }, first, await step(ctx, { id }, { type: 'WEBHOOK', config: { ...config, method: 'PUT' } }))
  await enable(ctx, { id })
  const one = await start(ctx, { id })
  await runAll(world)
  expect((await seen(one)).status).toBe('COMPLETED')
  expect(hook.received.map(({ method }) => method)).toEqual(['POST', 'PUT'])
  expect(new Set(hook.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
})

describe('a webhook that is not answered', () => {
  test('is tried again after 5 s, 1 min, 5 min, 30 min and 2 h, as the same message; then the execution fails', async () => {
    const { ctx } = await freshProject(world)
    hook.answer((response) => response.writeHead(500).end('oh'))
    world.metrics.webhookCalls.reset()
    const one = await hooked(ctx, { ...config, body: { name: '{{ name }}' } }, { data: { name: 'Ada' } })
    await runAll(world)
    for (const [at, wait] of [5 * second, minute, 5 * minute, 30 * minute, 2 * hour].entries()) {
      const { did, status } = await seen(one)
      expect([status, did.status, did.attempts, did.scheduledFor]).toEqual([
        'RUNNING',
        'RUNNING',
        at + 1,
        new Date(+world.clock.now() + wait),
      ])
      world.clock.turn(wait - second)
      expect(await callAll(world)).toBe(false)
      world.clock.turn(second)
      await runAll(world)
      expect(hook.received).toHaveLength(at + 2)
    }
    const { status, exitReason, did, output } = await seen(one)
    expect([status, exitReason, did.status, did.attempts, did.scheduledFor]).toEqual(['FAILED', did.error, 'FAILED', 6, null])
    expect(did.error).toBe('The receiver answered 500 (tried 6 times).')
    expect(output).toMatchObject({ statusCode: 500, success: false, response: 'oh' })
    expect(output.attempts.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(500))
    expect(new Set(hook.received.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).toBe(1)
    const { values } = await world.metrics.webhookCalls.get()
    expect(values.map(({ labels, value }) => `${value} ${labels.result}`)).toEqual(['5 retried', '1 failed'])
    const stamps = hook.received.map(({ headers }) => Number(headers['webhook-timestamp']))
    expect((stamps[5] ?? 0) - (stamps[0] ?? 0)).toBe(5 + 60 + 300 + 1_800 + 7_200)
    const { webhookSecret = '' } = await getProject(ctx, {})
    expect(hook.received.every((request) => isSignedWith(webhookSecret, request))).toBe(true)
  })

  test('takes the branch "error" if there is one', async () => {
    const { ctx } = await freshProject(world)
    hook.answer((response) => void response.socket?.destroy())
    const one = await hooked(ctx, config, { errorBranch: true })
    await runAll(world)
    for (let retry = 0; retry < 5; retry++) {
      world.clock.turn(2 * hour)
      await runAll(world)
    }
    const { exitReason, did, output } = await seen(one)
    expect([exitReason, did.status, did.branch, hook.received.length]).toEqual(['lost', 'COMPLETED', 'error', 6])
    expect(output).toMatchObject({ success: false, error: `127.0.0.1:${hook.port} cannot be reached: socket hang up (tried 6 times).` })
    expect(output.attempts[5]).toMatchObject({ statusCode: null, error: expect.stringContaining('socket hang up') })
  })

  test('succeeds later, and the execution goes on', async () => {
    const { ctx } = await freshProject(world)
    hook.answer((response) => response.writeHead(503, { 'retry-after': '600' }).end())
    const one = await hooked(ctx, config)
    await runAll(world)
    hook.answer((response) => response.end('ok'))
    world.clock.turn(599 * second)
    expect(await callAll(world)).toBe(false)
    world.clock.turn(second)
    await runAll(world)
    const { exitReason, did, output } = await seen(one)
    expect([exitReason, did.attempts, output.attempts.map(({ statusCode }) => statusCode)]).toEqual(['done', 2, [503, 200]])
  })

  test('is tried again when the status is none, and so no answer', async () => {
    const { ctx } = await freshProject(world)
    hook.answer(({ socket }) => void socket?.end('HTTP/1.1 000 Nothing\r\n\r\n'))
    const one = await hooked(ctx, config)
    await runAll(world)
    hook.answer((response) => response.end('ok'))
    world.clock.turn(5 * second)
    await runAll(world)
    expect(await seen(one)).toMatchObject({ exitReason: 'done', did: { attempts: 2 } })
  })

  test('waits for an hour at most, whatever a receiver asks for', async () => {
    const { ctx } = await freshProject(world)
    hook.answer((response) => response.writeHead(429, { 'retry-after': new Date(+world.clock.now() + 99 * hour).toUTCString() }).end())
    const one = await hooked(ctx, config)
    await runAll(world)
    expect((await seen(one)).did.scheduledFor).toEqual(new Date(+world.clock.now() + hour))
    await cancelWorkflowExecution(ctx, one)
  })

  test.each([
    ['a private address', { url: 'http://{{ host }}/' }, 'The address of 10.1.2.3 is not a public one.'],
    ['no URL', { url: 'http://{{ nothing }}/' }, 'The address is not a URL.'],
    ['another scheme', { url: '{{ ftp }}' }, 'Only http and https addresses are called.'],
    ['a password', { url: '{{ user }}' }, 'The address must not contain a user name or password.'],
    ['another protocol’s port', { url: 'http://127.0.0.1:25/' }, 'Port 25 is not called: only 80, 443 and those from 1024 on.'],
    [
      'a template over its budget',
      { ...config, body: '{% for a in (1..9999) %}{% for b in (1..9999) %}{{ b }}{% endfor %}{% endfor %}' },
      /^The template could not be rendered: it takes more than 50 ms of computing time/,
    ],
    ['too long a body', { ...config, body: Array(80).fill('{{ event.long }}') }, 'The body is longer than 3000000 characters.'],
    ['too long headers', { ...config, headers: { 'x-a': '{{ event.long }}' } }, 'The headers have more than 12000 bytes.'],
  ])('for %s is not tried again', async (_what, wrong, reason) => {
    const { ctx } = await freshProject(world)
    const data = { host: '10.1.2.3', ftp: 'ftp://example.com/', user: 'http://u:p@example.com/' }
    const one = await hooked(ctx, wrong, { data, context: { long: 'x'.repeat(50_000) } })
    await runAll(world)
    const { status, did, exitReason } = await seen(one)
    expect([status, did.status, hook.received.length]).toEqual(['FAILED', 'FAILED', 0])
    expect(exitReason).toMatch(reason)
  })
})
