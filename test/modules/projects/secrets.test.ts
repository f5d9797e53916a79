import { describe, expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { deleteAccount } from '../../../src/modules/auth/accounts/account.ts'
import { authenticate } from '../../../src/modules/auth/calls/authenticate.ts'
import { endSessions } from '../../../src/modules/auth/sessions/sessions.ts'
import { joinProject } from '../../../src/modules/projects/members/acceptance.ts'
import { inviteMember } from '../../../src/modules/projects/members/invitations.ts'
import { createProject, getProject, listProjects, regenerateKeys, updateProject } from '../../../src/modules/projects/projects.ts'
import { holder } from '../../help/holder.ts'
import { freshUser } from '../../help/people.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()

/** A call that was authenticated with the secret key of a project, and its owner. */
async function project() {
  const { projectId, secret } = await freshProject(world)
  const caller = { authorization: `Bearer ${secret}`, requestId: 'req_test' }
  const byKey = await authenticate(world, caller, { access: 'secret', write: true })
  return { projectId, secret, byKey, owner: await freshUser(world, { member: { projectId, role: 'OWNER' } }) }
}

const signOut = (userId: string) => world.db.transaction((tx) => endSessions(tx, userId))
const refusedAs = (code: string) => expect.objectContaining({ code })

describe('the secrets of a project', () => {
  test('are not shown to a call with the old key that was under way when the keys were replaced', async () => {
    const { projectId, secret, byKey, owner } = await project()
    expect(await getProject(byKey, {})).toMatchObject({ secret })
    await regenerateKeys(owner.ctx, { id: projectId })
    await expect(getProject(byKey, {})).rejects.toThrow(refusedAs('INVALID_API_KEY'))
  })

  test.each<[string, (ctx: Ctx, id: string) => Promise<unknown>]>([
    ['a project', (ctx, id) => getProject(ctx, { id })],
    ['all projects', (ctx) => listProjects(ctx)],
  ])('are not shown to a call about %s of somebody whose session, membership or role has ended meanwhile', async (_what, read) => {
    const { projectId, owner } = await project()
    const people = await Promise.all([1, 2, 3].map(() => freshUser(world, { member: { projectId, role: 'ADMIN' } })))
    const [signedOut, removed, demoted] = people
    for (const { ctx } of [owner, ...people]) expect(JSON.stringify(await read(ctx, projectId))).toContain('"secret":"sk_')
    await signOut(signedOut?.userId ?? '')
    await world.db.prisma.membership.deleteMany({ where: { projectId, userId: removed?.userId ?? '' } })
    await world.db.prisma.membership.updateMany({ where: { projectId, userId: demoted?.userId ?? '' }, data: { role: 'MEMBER' } })
    for (const { ctx } of people) await expect(read(ctx, projectId)).rejects.toThrow(refusedAs('SERVICE_UNAVAILABLE'))
  })

  test('of a project that somebody is no longer in are left out of a list with others', async () => {
    const projects = await Promise.all([1, 2].map(() => freshProject(world)))
    const { ctx, userId } = await freshUser(world, { member: projects.map(({ projectId }) => ({ projectId, role: 'ADMIN' })) })
    await world.db.prisma.projectWebhookSecret.deleteMany({ where: { projectId: projects[0]?.projectId ?? '' } })
    await world.db.prisma.membership.deleteMany({ where: { projectId: projects[0]?.projectId ?? '', userId } })
    expect((await listProjects(ctx)).map(({ id }) => id)).toEqual([projects[1]?.projectId])
    expect(await world.db.prisma.projectWebhookSecret.count({ where: { projectId: projects[0]?.projectId ?? '' } })).toBe(0)
  })

  test('that answer a change are those of its own transaction, also where they are replaced before the answer', async () => {
    const { projectId, secret, byKey, owner } = await project()
    const other = await holder(world)
    await other.run('select from projects where id = $1 for no key update', [projectId])
    const changed = updateProject(byKey, { id: projectId, name: 'Renamed' }).catch((error) => error)
    await other.waitedFor()
    const replaced = regenerateKeys(owner.ctx, { id: projectId })
    await other.commit()
    expect((await replaced).secret).not.toBe(secret)
    expect(await changed).toSatisfy((answer) => answer.secret === secret || answer.code === 'INVALID_API_KEY')
  })

  test('are answered by the rotation of the key itself', async () => {
    const { projectId, secret, byKey } = await project()
    const made = await regenerateKeys(byKey, { id: projectId })
    expect([made.secret, made.public, made.webhookSecret]).toEqual([
      expect.stringMatching(/^sk_/),
      expect.stringMatching(/^pk_/),
      expect.stringMatching(/^whsec_/),
    ])
    expect(made.secret).not.toBe(secret)
  })
})

// Otherwise whoever had created an account with the address of somebody else could leave a project in it, or join one, as it is taken.
describe('a call of somebody whose session ends while it is under way', () => {
  const calls: Record<string, (ctx: Ctx, invitation: string) => Promise<unknown>> = {
    createProject: (ctx) => createProject(ctx, { name: 'Left behind' }),
    joinProject: (ctx, id) => joinProject(ctx, { id }),
    deleteAccount: (ctx) => deleteAccount(ctx),
  }
  test.each(Object.keys(calls))('%s fails with UNAUTHORIZED and changes nothing', async (name) => {
    const { projectId, owner } = await project()
    const { ctx, userId, email } = await freshUser(world)
    const { id } = await inviteMember(owner.ctx, { id: projectId, email, role: 'ADMIN' })
    const other = await holder(world)
    await other.run('select from users where id = $1 for update', [userId])
    const under = calls[name]?.(ctx, id)
    const outcome = expect(under).rejects.toThrow(refusedAs('UNAUTHORIZED'))
    await other.waitedFor()
    await other.run('delete from sessions where user_id = $1', [userId])
    await other.commit()
    await outcome
    expect(await world.db.prisma.membership.count({ where: { userId, projectId } })).toBe(0)
    expect(await world.db.prisma.user.count({ where: { id: userId } })).toBe(1)
  })
})
