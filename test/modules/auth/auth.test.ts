import { describe, expect, test } from 'vitest'
import { authorize } from '../../../src/kit/access.ts'
import { authenticate } from '../../../src/modules/auth/calls/authenticate.ts'
import { forgetWindows, takeRequest } from '../../../src/modules/auth/calls/rate.ts'
import { regenerateKeys } from '../../../src/modules/projects/projects.ts'
import { until } from '../../help/until.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld({ env: { RATE_LIMIT_PER_MINUTE: '10' } })
const other = await testWorld({ env: { RATE_LIMIT_PER_MINUTE: '10' }, databaseUrl: world.databaseUrl })
const minute = 60_000
const withKey = (at: typeof world, authorization: string | undefined) =>
  authenticate(at, { authorization }, { access: 'public', write: false })

describe('authenticate', () => {
  test('identifies the project and the kind of a key', async () => {
    const project = await freshProject(world)
    expect(await withKey(world, `Bearer ${project.secret}`)).toMatchObject({
      projectId: project.projectId,
      actor: { key: 'SECRET' },
    })
    expect(await withKey(world, `bearer  ${project.public}`)).toMatchObject({
      projectId: project.projectId,
      actor: { key: 'PUBLIC' },
    })
  })

  test.each([undefined, '', 'Bearer', 'Bearer ', 'Basic abc'])('refuses %j with MISSING_AUTH', async (authorization) => {
    await expect(withKey(world, authorization)).rejects.toMatchObject({ code: 'MISSING_AUTH', status: 401 })
  })

  test.each([`sk_${'0'.repeat(64)}`, 'sk_short', 'nonsense', `pk_${'F'.repeat(64)}`])(
    'refuses the key %j with INVALID_API_KEY',
    async (key) => {
      await expect(withKey(world, `Bearer ${key}`)).rejects.toMatchObject({ code: 'INVALID_API_KEY', status: 401 })
    },
  )

  test('refuses a rotated key at once, in every process', async () => {
    const project = await freshProject(world)
    const authorization = `Bearer ${project.secret}`
    for (const each of [world, other]) await withKey(each, authorization)
    const fresh = await regenerateKeys(project.ctx, { id: project.projectId })
    await expect(withKey(world, authorization)).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
    await until(() =>
      withKey(other, authorization).then(
        () => false,
        ({ code }) => code === 'INVALID_API_KEY',
      ),
    )
    for (const each of [world, other]) expect(await withKey(each, `Bearer ${fresh.secret}`)).toMatchObject({ projectId: project.projectId })
  })
})

describe('what a key may do', () => {
  test('a public key is refused where a secret one is needed', async () => {
    const project = await freshProject(world)
    const caller = { authorization: `Bearer ${project.public}` }
    await expect(authenticate(world, caller, { access: 'secret', write: false })).rejects.toMatchObject({
      code: 'INVALID_API_KEY',
      status: 401,
    })
  })

  test('a suspended project can be read but not changed', async () => {
    const project = await freshProject(world)
    await world.db.prisma.project.update({ where: { id: project.projectId }, data: { disabled: true } })
    const ctx = await withKey(world, `Bearer ${project.secret}`)
    expect(authorize(ctx, { access: 'secret' })).toBe(ctx)
    expect(() => authorize(ctx, { access: 'secret', write: true })).toThrow('suspended')
    expect(authorize(ctx, { access: 'secret', write: true, whileSuspended: true })).toBe(ctx)
  })
})

describe('takeRequest', () => {
  test('allows the configured number of requests per minute and refuses the next one with Retry-After', async () => {
    const { ctx } = await freshProject(world)
    for (let left = 9; left >= 0; left--) expect(takeRequest(ctx)).toMatchObject({ limit: 10, remaining: left })
    expect(() => takeRequest(ctx)).toThrow(
      expect.objectContaining({ code: 'RATE_LIMIT_EXCEEDED', headers: expect.objectContaining({ 'Retry-After': expect.any(String) }) }),
    )
    world.clock.turn(minute)
    expect(takeRequest(ctx)).toMatchObject({ remaining: 9 })
  })

  test('counts the requests of all processes together', async () => {
    const { ctx } = await freshProject(world)
    const elsewhere = { ...ctx, world: other, clock: world.clock }
    for (let at = 0; at < 5; at++) {
      takeRequest(ctx)
      takeRequest(elsewhere)
    }
    await until(async () => {
      const [sum] = await world.db.prisma.rateWindow.findMany({ where: { projectId: ctx.projectId } })
      return sum?.requests === 10
    })
    // A process learns the total when it next adds its own requests to it.
    await until(() => Promise.resolve(refused(() => takeRequest(ctx)) && refused(() => takeRequest(elsewhere))))
  })

  test('does not mix projects', async () => {
    const one = await freshProject(world)
    const two = await freshProject(world)
    for (let at = 0; at < 10; at++) takeRequest(one.ctx)
    expect(takeRequest(two.ctx)).toMatchObject({ remaining: 9 })
  })

  test('deletes windows that ended a while ago', async () => {
    const { ctx, projectId } = await freshProject(world)
    takeRequest(ctx)
    await until(async () => (await world.db.prisma.rateWindow.count({ where: { projectId } })) === 1)
    world.clock.turn(20 * minute)
    await forgetWindows(world)
    expect(await world.db.prisma.rateWindow.count({ where: { projectId } })).toBe(0)
  })
})

function refused(call: () => unknown): boolean {
  try {
    call()
    return false
  } catch (error) {
    return (error as { code?: string }).code === 'RATE_LIMIT_EXCEEDED'
  }
}
