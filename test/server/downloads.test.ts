import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { statement } from '../../src/kit/postgres/db.ts'
import { download } from '../../src/kit/route.ts'
import { Nothing } from '../../src/kit/shapes.ts'
import { logOut } from '../../src/modules/auth/accounts/login.ts'
import { removeMember, updateMember } from '../../src/modules/projects/members/members.ts'
import { regenerateKeys } from '../../src/modules/projects/projects.ts'
import { deleteProject } from '../../src/modules/resets/resets.ts'
import { restEndpoint } from '../../src/server/rest/handler.ts'
import { bearer } from '../help/live.ts'
import { freshUser } from '../help/people.ts'
import { testServer } from '../help/server.ts'
import { until } from '../help/until.ts'
import { freshProject, testWorld } from '../help/world.ts'

const { url, world, call } = await testServer({ running: true, worker: true })
const second = await testServer({ running: true, world: await testWorld({ running: true, databaseUrl: world.databaseUrl }) })
const hourMs = 3_600_000

// 48 MB: more than a connection takes in that is not read, of which Linux may hold 32 MB at the reader and 4 MB at the sender.
const fill = statement<object>(
  'test_fill_export',
  `insert into contacts (project_id, id, email, subscribed, data, created_at, updated_at)
   select $1, 'cnt_' || lpad(n::text, 26, '0'), n || '@example.com', true, jsonb_build_object('text', repeat('x', 120000)), $2, $2 from generate_series(1, 400) n`,
)

async function withContacts() {
  const project = await freshProject(world)
  await world.db.run(fill, [project.projectId, world.clock.now()])
  return project
}

async function answerAt(at: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const asked = request(`${at}/contacts/export`, { headers, agent: false })
  onTestFinished(() => void asked.destroy())
  return new Promise((resolve, reject) => asked.once('response', resolve).once('error', reject).end())
}

/** What the server logs until the end of a test, as text for the message of an expectation. */
function spyOnLog(): () => string {
  const spies = (['debug', 'info', 'warn', 'error'] as const).map((level) => vi.spyOn(world.log, level))
  onTestFinished(() => void spies.map((spy) => spy.mockRestore()))
  return () => inspect(spies.flatMap(({ mock }) => mock.calls))
}

/** Begins an export, and reads no more than its beginning before `rest`, which says whether it was complete. */
async function begun(at: string, headers: Record<string, string>) {
  const answer = await answerAt(at, headers)
  expect(answer.statusCode).toBe(200)
  let ended = false
  answer
    .on('error', () => undefined)
    .once('close', () => {
      ended = true
    })
  return {
    async rest(): Promise<boolean> {
      answer.resume()
      await until(async () => ended)
      return answer.complete
    },
  }
}

describe('an export that is under way', () => {
  test('is complete when it is read', async () => {
    const { secret } = await withContacts()
    expect(await (await begun(url, bearer(secret))).rest()).toBe(true)
  })

  test('is complete for a person who has followed a link on another site, as it changes nothing', async () => {
    const { projectId } = await withContacts()
    const { cookie } = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
    const exported = await begun(url, { cookie, 'sec-fetch-site': 'cross-site' })
    expect(await exported.rest()).toBe(true)
  })

  test('is cut off when the key is rotated, in every process, and gives its place back at once', async () => {
    const { ctx, projectId, secret } = await withContacts()
    const logged = spyOnLog()
    const places = [url, second.url].flatMap((at) => [at, at, at, at])
    const exports = await Promise.all(places.map((at) => begun(at, bearer(secret))))
    const { status } = await call('GET /contacts/export', undefined, { key: secret })
    expect(status, logged()).toBe(429)
    const { secret: key } = await regenerateKeys(ctx, { id: projectId })
    // As many with the new key have a place once all of the others have none.
    const left = [...places]
    await until(async () => {
      const statuses = await Promise.all(left.splice(0).map(async (at) => ({ at, status: (await answerAt(at, bearer(key))).statusCode })))
      left.push(...statuses.flatMap(({ at, status }) => (status === 200 ? [] : [at])))
      return left.length === 0
    })
    expect(new Set(await Promise.all(exports.map(({ rest }) => rest())))).toEqual(new Set([false]))
  })

  test.each(['removed', 'signed out'])('is cut off when its reader is %s', async (how) => {
    const { ctx, projectId } = await withContacts()
    const person = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
    const other = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
    const own = await begun(url, { cookie: person.cookie })
    const others = await begun(url, { cookie: other.cookie })
    if (how === 'removed') await removeMember(ctx, { id: projectId, userId: person.userId })
    else await logOut(person.ctx)
    expect([await own.rest(), await others.rest()]).toEqual([false, true])
  })

  test('is cut off when the project is deleted', async () => {
    const { projectId, secret } = await withContacts()
    const owner = await freshUser(world, { member: { projectId, role: 'OWNER' } })
    const one = await begun(url, bearer(secret))
    await deleteProject(owner.ctx, { id: projectId })
    expect(await one.rest()).toBe(false)
  })

  test('is cut off after an hour, however its reader reads', async () => {
    const { secret } = await withContacts()
    const one = await begun(url, bearer(secret))
    world.clock.turn(hourMs)
    expect(await one.rest()).toBe(false)
    world.clock.turn(-hourMs)
  })
})

/** Answers with a file that never ends by itself; `ended` is aborted when it is cut off. */
async function endless(access: 'admin' | 'secret', ended?: AbortSignal) {
  const end = Promise.withResolvers<void>()
  onTestFinished(() => end.resolve())
  const slow = async () => ({ filename: 'a.csv', pieces: piecesUntil(end.promise), ...(ended && { ended }) })
  const route = download('/audit', access, Nothing, z.string(), slow, { summary: 'Read', file: 'text/csv' })
  const endpoint = restEndpoint(world, route)
  const server = createServer((asked, response) => {
    void endpoint.answer({ request: asked, response, requestId: 'req_test', path: '/audit', query: '', headers: {} }, {})
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/audit`
}

const outcomeOf = (answer: Response): Promise<string> =>
  answer.text().then(
    () => 'complete',
    () => 'cut off',
  )

test('a file that only admins may read is cut off when its reader is no longer one', async () => {
  const { ctx, projectId } = await freshProject(world)
  const { cookie, userId } = await freshUser(world, { member: { projectId, role: 'ADMIN' } })
  const answer = await fetch(await endless('admin'), { headers: { cookie } })
  expect(answer.status).toBe(200)
  const outcome = outcomeOf(answer)
  await updateMember(ctx, { id: projectId, userId, role: 'MEMBER' })
  expect(await outcome).toBe('cut off')
})

test('a file whose place another one takes is cut off', async () => {
  const { secret } = await freshProject(world)
  const end = new AbortController()
  const answer = await fetch(await endless('secret', end.signal), { headers: bearer(secret) })
  expect(answer.status).toBe(200)
  const outcome = outcomeOf(answer)
  end.abort()
  expect(await outcome).toBe('cut off')
})

async function* piecesUntil(end: Promise<void>): AsyncGenerator<string, void> {
  yield 'a\n'
  await end
  yield 'b\n'
}
