import { describe, expect, test } from 'vitest'
import { claimEmails } from '../../../src/modules/emails/queue/claim.ts'
import { startJobs } from '../../../src/modules/resets/jobs.ts'
import { asker } from '../../help/ask.ts'
import { emptied, filledProject, rowsOf } from '../../help/filled.ts'
import { accept } from '../../help/mails.ts'
import { freshUser } from '../../help/people.ts'
import { testServer } from '../../help/server.ts'
import { until } from '../../help/until.ts'
import { testWorld } from '../../help/world.ts'

// Two processes on one database that serve requests, and a background worker.
const { call, world, url } = await testServer()
const there = await testServer({ world: await testWorld({ databaseUrl: world.databaseUrl }) })
const worker = await testWorld({ databaseUrl: world.databaseUrl })

/** Calls until a reset has ended while its call waits, which is some seconds; another one follows where it took longer. */
async function untilDone<Answer>(reset: () => Promise<Answer>, isDone: (answer: Answer) => boolean): Promise<Answer> {
  let answer = await reset()
  for (let calls = 1; calls < 10 && !isDone(answer); calls++) answer = await reset()
  return answer
}
const is200 = ({ status }: { status: number }): boolean => status === 200

// This test comes first, because afterwards the worker is running.
test('while a reset runs the project can be read but not changed, in every process, and sends nothing', async () => {
  const { projectId, secret, ctx, owner } = await filledProject(world)
  const { id } = await accept(ctx, { to: 'late@example.com' })
  await there.call('GET /contacts', undefined, { key: secret })
  const { status, body } = await call(`POST /users/@me/projects/${projectId}/reset`, undefined, owner)
  expect([status, body]).toEqual([
    202,
    { message: expect.stringContaining('Acme is being emptied'), jobId: expect.stringMatching(/^job_/) },
  ])
  for (const server of [call, there.call]) {
    const refused = await server('POST /contacts', { email: 'new@example.com' }, { key: secret })
    expect([refused.status, refused.body.error.code]).toEqual([403, 'PROJECT_DISABLED'])
    expect((await server('POST /v1/track', { email: 'new@example.com', event: 'x' }, { key: secret })).status).toBe(403)
    expect((await server(`PATCH /users/@me/projects/${projectId}`, { name: 'New' }, owner)).status).toBe(403)
    expect((await server('GET /contacts', undefined, { key: secret })).status).toBe(200)
  }
  const [turn] = await claimEmails(world, 'transactional', [{ projectId, after: '', want: 100 }])
  expect(turn?.emails.find((email) => email.id === id)).toMatchObject({ disabled: true })
  await world.db.prisma.delivery.updateMany({ where: { projectId }, data: { worker: null, claim: null } })

  await startJobs(worker)
  const again = await untilDone(() => call(`POST /users/@me/projects/${projectId}/reset`, undefined, owner), is200)
  expect([again.status, again.body]).toEqual([200, { success: true, message: expect.stringContaining('Acme is empty') }])
  for (const server of [call, there.call]) {
    expect((await server('POST /contacts', { email: 'new@example.com' }, { key: secret })).status).toBeLessThan(300)
  }
  expect(await rowsOf(world, projectId)).toMatchObject({ contacts: 1 })
})

describe('POST /users/@me/projects/:id/reset', () => {
  test('200 when it is done; 403 for keys and members, 404 for others, and nothing is removed', async () => {
    const { projectId, secret, owner } = await filledProject(world)
    const stranger = await freshUser(world, { member: { projectId: (await filledProject(world)).projectId, role: 'OWNER' } })
    const member = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
    const before = await rowsOf(world, projectId)
    const reset = (as: { key?: string; cookie?: string }) => call(`POST /users/@me/projects/${projectId}/reset`, undefined, as)
    expect((await reset({ key: secret })).status).toBe(403)
    expect((await reset(member)).status).toBe(403)
    expect((await reset(stranger)).status).toBe(404)
    expect((await reset({})).status).toBe(401)
    expect(await rowsOf(world, projectId)).toEqual(before)
    expect((await untilDone(() => reset(owner), is200)).status).toBe(200)
    expect(Object.keys(await rowsOf(world, projectId)).filter((table) => emptied.includes(table))).toEqual(['events'])
    expect(await world.db.prisma.event.findMany({ where: { projectId }, select: { name: true } })).toEqual([{ name: 'project.changed' }])
  })
})

describe('DELETE /users/@me/projects/:id', () => {
  test('204: the project is inaccessible in every process, with its keys and memberships, and then its data is removed', async () => {
    const { projectId, secret, public: open, owner } = await filledProject(world)
    const member = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
    for (const server of [call, there.call]) expect((await server('GET /contacts', undefined, { key: secret })).status).toBe(200)
    expect((await there.call(`GET /users/@me/projects/${projectId}`, undefined, member)).status).toBe(200)
    expect(await call(`DELETE /users/@me/projects/${projectId}`, undefined, owner)).toMatchObject({ status: 204, body: '' })
    for (const server of [call, there.call]) {
      expect((await server('GET /contacts', undefined, { key: secret })).status).toBe(401)
      expect((await server('POST /v1/track', { email: 'a@example.com', event: 'x' }, { key: open })).status).toBe(401)
      for (const person of [owner, member]) {
        expect((await server(`GET /users/@me/projects/${projectId}`, undefined, person)).status).toBe(404)
        expect((await server('GET /users/@me/projects', undefined, person)).body).toEqual([])
      }
    }
    expect((await call(`DELETE /users/@me/projects/${projectId}`, undefined, owner)).status).toBe(404)
    await until(async () => Object.keys(await rowsOf(world, projectId)).length === 0)
  })

  test('403 for keys and members, 409 while there is a paid subscription', async () => {
    const { projectId, secret, owner } = await filledProject(world)
    const member = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
    const remove = (as: { key?: string; cookie?: string }) => call(`DELETE /users/@me/projects/${projectId}`, undefined, as)
    expect([(await remove({ key: secret })).status, (await remove(member)).status]).toEqual([403, 403])
    const now = world.clock.now()
    await world.db.prisma.billingAccount.create({ data: { projectId, subscription: 'sub_1', createdAt: now, updatedAt: now } })
    expect((await remove(owner)).body.error).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('paid subscription') })
    expect((await call('GET /contacts', undefined, { key: secret })).status).toBe(200)
  })
})

describe('in GraphQL', () => {
  const reset = 'mutation ($id: ID!) { resetProject(input: { id: $id }) { done message resetId } }'
  const remove = 'mutation ($id: ID!) { deleteProject(input: { id: $id }) { deletedProjectId } }'

  test('resetProject and deleteProject do the same', async () => {
    const { projectId, secret, owner } = await filledProject(world)
    const asOwner = asker(url)
    const cookie = { cookie: owner.cookie }
    expect((await asker(url, secret)(reset, { id: projectId })).errors[0]?.extensions.code).toBe('FORBIDDEN')
    expect((await asOwner(reset, { id: 'prj_none' }, cookie)).errors[0]?.extensions.code).toBe('RESOURCE_NOT_FOUND')
    const answer = await untilDone(
      () => asOwner<{ resetProject: { done: boolean } }>(reset, { id: projectId }, cookie),
      (one) => one.data?.resetProject.done === true,
    )
    expect(answer.data).toEqual({
      resetProject: { done: true, message: expect.stringContaining('Acme is empty'), resetId: null },
    })
    expect((await asOwner(remove, { id: projectId }, cookie)).data).toEqual({ deleteProject: { deletedProjectId: projectId } })
    expect((await asker(url, secret)('{ project { id } }')).errors[0]?.extensions.code).toBe('INVALID_API_KEY')
  })
})
