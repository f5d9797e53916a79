import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { logOut } from '../../../src/modules/auth/accounts/login.ts'
import { removeMember } from '../../../src/modules/projects/members/members.ts'
import { regenerateKeys } from '../../../src/modules/projects/projects.ts'
import { deleteProject } from '../../../src/modules/resets/resets.ts'
import { startServer } from '../../../src/server/app.ts'
import { holder } from '../../help/holder.ts'
import { appendLines } from '../../help/lines.ts'
import { bearer, openStream, watching } from '../../help/live.ts'
import { atPace } from '../../help/pace.ts'
import { freshUser } from '../../help/people.ts'
import { testServer } from '../../help/server.ts'
import { until } from '../../help/until.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const { url, world } = await testServer({ running: true, worker: true })
const second = await testServer({ running: true, world: await testWorld({ running: true, databaseUrl: world.databaseUrl }) })
const query = 'subscription { activity { cursor metadata } }'
const open = (at: string, headers: Record<string, string>) => openStream(at, query, headers)

const accepts = ['text/event-stream', '*/*', 'text/*', 'TEXT/Event-Stream', 'text/event-stream;q=0.5, application/json', undefined]

// An operator would take one about listeners for a leak.
const warnings: string[] = []
const note = ({ name }: Error): void => void warnings.push(name)
beforeAll(() => void process.on('warning', note))
afterAll(() => {
  process.off('warning', note)
  expect(warnings).not.toContain('MaxListenersExceededWarning')
})

describe('an event stream', () => {
  test.each(accepts)('that was opened with Accept: %s streams, and ends when the key is rotated', async (accept) => {
    const { ctx, projectId, secret } = await freshProject(world)
    const stream = await open(url, { ...bearer(secret), ...(accept !== undefined && { accept }) })
    expect(stream.type).toMatch('text/event-stream')
    await until(async () => (await watching(world)) === 1)
    await appendLines(world, projectId, 'seen')
    await until(async () => stream.text().includes('"eventName":"seen"'))
    await regenerateKeys(ctx, { id: projectId })
    await stream.over
    await until(async () => (await watching(world)) === 0)
  })

  test('is not opened, and leaves no subscriber behind, where no stream is accepted', async () => {
    const { secret } = await freshProject(world)
    const stream = await open(url, { ...bearer(secret), accept: 'application/json' })
    await stream.over
    expect(stream.type).not.toMatch('text/event-stream')
    await until(async () => (await watching(world)) === 0)
  })

  test('ends when its reader signs out, in every process', async () => {
    const { projectId } = await freshProject(world)
    const { cookie, ctx } = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
    const streams = [await open(url, { cookie, accept: '*/*' }), await open(second.url, { cookie, accept: '*/*' })]
    await until(async () => (await watching(world)) === 1 && (await watching(second.world)) === 1)
    await logOut(ctx)
    await Promise.all(streams.map(({ over }) => over))
    await until(async () => (await watching(world)) === 0 && (await watching(second.world)) === 0)
  })

  test.each([
    ['of a foreign Origin', { origin: 'https://evil.example' }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
  ])('is refused with a sentence to a page %s, with GET as well as with POST', async (_which, headers) => {
    const { projectId, secret } = await freshProject(world)
    const { cookie } = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
    const get = (given: Record<string, string>) =>
      new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
        const asked = request(`${url}/graphql?query=${encodeURIComponent(query)}`, { headers: { ...given, accept: 'text/event-stream' } })
        onTestFinished(() => void asked.destroy())
        asked.once('error', reject).once('response', async (answer) => {
          answer.on('error', () => undefined)
          resolve({ status: answer.statusCode, body: answer.statusCode === 200 ? '' : await text(answer) })
        })
        asked.end()
      })
    const refused = await get({ ...headers, cookie })
    expect([refused.status, JSON.parse(refused.body).errors[0].message]).toEqual([403, 'This request was sent by a page of another site.'])
    expect(await watching(world)).toBe(0)
    // Without a cookie, or from our own pages, it streams.
    expect((await get({ ...headers, ...bearer(secret) })).status).toBe(200)
    expect((await get({ 'sec-fetch-site': 'same-origin', cookie })).status).toBe(200)
  })

  test('ends when its reader is removed from the project', async () => {
    const { projectId, ctx } = await freshProject(world)
    const { cookie, userId } = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
    const stream = await open(url, { cookie, accept: '*/*' })
    await until(async () => (await watching(world)) === 1)
    await removeMember(ctx, { id: projectId, userId })
    await stream.over
    await until(async () => (await watching(world)) === 0)
  })

  test.each(['key', 'session'])('with a %s ends when its project is deleted', async (credentials) => {
    const { projectId, secret } = await freshProject(world)
    const { cookie, ctx } = await freshUser(world, { member: { projectId, role: 'OWNER' } })
    const stream = await open(url, { ...(credentials === 'key' ? bearer(secret) : { cookie }), accept: '*/*' })
    await until(async () => (await watching(world)) === 1)
    await deleteProject(ctx, { id: projectId })
    await stream.over
    await until(async () => (await watching(world)) === 0)
  })

  test('that begins while the server closes is cut off at once', async () => {
    const server = await startServer(world)
    const { secret } = await freshProject(world)
    const other = await holder(world)
    await other.run('lock table project_keys in access exclusive mode')
    const opened = open(server.url, { ...bearer(secret), accept: '*/*' })
    const outcome = opened.then(
      () => 'opened',
      () => 'cut off',
    )
    await other.waitedFor()
    const closed = server.close()
    await other.commit()
    expect(await outcome).toBe('cut off')
    await closed
    expect(await watching(world)).toBe(0)
  })

  test('ends when the server closes', async () => {
    const server = await startServer(world)
    const { secret } = await freshProject(world)
    const stream = await open(server.url, { ...bearer(secret), accept: '*/*' })
    await until(async () => (await watching(world)) === 1)
    const began = performance.now()
    await server.close()
    expect(performance.now() - began).toBeLessThan(atPace(3_000))
    await stream.over
    await until(async () => (await watching(world)) === 0)
  })
})
