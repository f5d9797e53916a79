import { beforeEach, describe, expect, test } from 'vitest'
import type { Ctx, Role } from '../../../../src/kit/context.ts'
import type { Failure } from '../../../../src/kit/errors.ts'
import { updateBillingLimits } from '../../../../src/modules/billing/limits.ts'
import { createDomain, deleteDomain } from '../../../../src/modules/domains/domains.ts'
import { updateDomain } from '../../../../src/modules/emails/warm-up/warm-up.ts'
import { inviteMember, revokeInvitation } from '../../../../src/modules/projects/members/invitations.ts'
import { removeMember, updateMember } from '../../../../src/modules/projects/members/members.ts'
import { regenerateKeys, rotateWebhookSecret, updateProject } from '../../../../src/modules/projects/projects.ts'
import { deleteProject, resetProject } from '../../../../src/modules/resets/resets.ts'
import { type Holder, holder } from '../../../help/holder.ts'
import { freshUser, type Person } from '../../../help/people.ts'
import { testServer } from '../../../help/server.ts'
import { freshProject } from '../../../help/world.ts'

const { call, world } = await testServer()

let projectId: string
let secret: string
let owner: Person
let admin: Person
let member: Person
let invitationId: string
let domainId: string
let guests = 0
const joined = (role: Role) => freshUser(world, { member: { projectId, role } })

beforeEach(async () => {
  ;({ projectId, secret } = await freshProject(world))
  owner = await joined('OWNER')
  admin = await joined('ADMIN')
  member = await joined('MEMBER')
  ;({ id: invitationId } = await inviteMember(owner.ctx, { id: projectId, email: `guest${guests++}@example.com`, role: 'MEMBER' }))
  ;({ id: domainId } = await createDomain(owner.ctx, { domain: 'first.test' }))
})

const calls: Record<string, (ctx: Ctx) => Promise<unknown>> = {
  inviteMember: (ctx) => inviteMember(ctx, { id: projectId, email: 'sleeper@example.com', role: 'ADMIN' }),
  updateMember: (ctx) => updateMember(ctx, { id: projectId, userId: member.userId, role: 'ADMIN' }),
  removeMember: (ctx) => removeMember(ctx, { id: projectId, userId: member.userId }),
  revokeInvitation: (ctx) => revokeInvitation(ctx, { id: projectId, invitationId }),
  updateProject: (ctx) => updateProject(ctx, { id: projectId, name: 'Renamed' }),
  regenerateKeys: (ctx) => regenerateKeys(ctx, { id: projectId }),
  rotateWebhookSecret: (ctx) => rotateWebhookSecret(ctx, { id: projectId }),
  createDomain: (ctx) => createDomain(ctx, { domain: 'other.test' }),
  updateDomain: (ctx) => updateDomain(ctx, { id: domainId, warmUp: true }),
  deleteDomain: (ctx) => deleteDomain(ctx, { id: domainId }),
  updateBillingLimits: (ctx) => updateBillingLimits(ctx, { id: projectId, campaigns: 5 }),
  resetProject: (ctx) => resetProject(ctx, { id: projectId }),
  deleteProject: (ctx) => deleteProject(ctx, { id: projectId }),
}

/** What the calls could change. */
async function state() {
  const where = { where: { projectId } }
  const { prisma } = world.db
  const { name } = await prisma.project.findUniqueOrThrow({ where: { id: projectId }, select: { name: true } })
  const invitations = (await prisma.invitation.findMany(where)).map(({ email, hash }) => `${email} ${hash}`)
  const members = (await prisma.membership.findMany(where)).map(({ userId, role }) => `${userId} ${role}`).filter((text) => !isAdmin(text))
  const keys = (await prisma.projectKey.findMany(where)).map(({ sealed }) => sealed).sort()
  const secrets = await prisma.projectWebhookSecret.findMany(where)
  const domains = (await prisma.domain.findMany(where)).map(({ domain, warmUpAt }) => [domain, warmUpAt])
  return { name, invitations, members, keys, secrets, domains, caps: await prisma.billingAccount.findMany(where) }
}
const isAdmin = (text: string) => text.startsWith(admin.userId)

// Everything is locked that a call of any version may need, so that it has begun when its caller loses the rights.
async function underWay(work: () => Promise<unknown>, meanwhile: (other: Holder) => Promise<unknown>): Promise<string> {
  const other = await holder(world)
  for (const table of ['projects', 'memberships', 'invitations', 'project_keys', 'project_webhook_secrets'])
    await other.run(`select from ${table} where ${table === 'projects' ? 'id' : 'project_id'} = $1 for update`, [projectId])
  await meanwhile(other)
  const outcome = work().then(
    () => 'done',
    (error: Failure) => error.code,
  )
  await other.waitedFor()
  await other.commit()
  return outcome
}

describe.each(Object.keys(calls))('%s, under way while its caller', (name) => {
  test.each([
    ['is removed', 'delete from memberships where user_id = $1', 'RESOURCE_NOT_FOUND'],
    ['is demoted', `update memberships set role = 'MEMBER' where user_id = $1`, 'FORBIDDEN'],
    ['is signed out', 'delete from sessions where user_id = $1', 'UNAUTHORIZED'],
  ])('%s, changes nothing', async (_what, sql, code) => {
    const before = await state()
    const run = calls[name] as (ctx: Ctx) => Promise<unknown>
    expect(
      await underWay(
        () => run(admin.ctx),
        (other) => other.run(sql, [admin.userId]),
      ),
    ).toBe(code)
    expect(await state()).toEqual(before)
  })
})

describe('a call under way while an owner becomes an admin', () => {
  const demote = (other: Holder) => other.run(`update memberships set role = 'ADMIN' where user_id = $1`, [owner.userId])

  test.each([
    ['makes nobody an owner', () => updateMember(owner.ctx, { id: projectId, userId: member.userId, role: 'OWNER' })],
    ['invites no owner', () => inviteMember(owner.ctx, { id: projectId, email: 'sleeper@example.com', role: 'OWNER' })],
  ])('%s', async (_what, work) => {
    expect(await underWay(work, demote)).toBe('FORBIDDEN')
    expect(await world.db.prisma.membership.count({ where: { projectId, role: 'OWNER' } })).toBe(0)
    expect(await world.db.prisma.invitation.count({ where: { projectId, role: 'OWNER' } })).toBe(0)
  })
})

describe('a rotation of keys', () => {
  test('by a key that is replaced meanwhile makes no keys', async () => {
    const rotate = async () => {
      const { status, body } = await call(`POST /users/@me/projects/${projectId}/regenerate-keys`, {}, { key: secret })
      if (status !== 200) throw Object.assign(new Error(), { code: body.error.code })
    }
    const replace = (other: Holder) => other.run(`update project_keys set hash = reverse(hash) where project_id = $1`, [projectId])
    const keys = async () => (await state()).keys
    const before = await keys()
    expect(await underWay(rotate, replace)).toBe('INVALID_API_KEY')
    expect(await keys()).toEqual(before)
  })

  test('answers with its own keys, and not with those of another one after it', async () => {
    let later = ''
    const transaction: Ctx['db']['transaction'] = async (work) => {
      const result = await world.db.transaction(work)
      later = (await regenerateKeys(owner.ctx, { id: projectId })).secret
      return result
    }
    const answer = await regenerateKeys({ ...admin.ctx, db: { ...world.db, transaction } }, { id: projectId })
    expect(JSON.stringify(answer)).not.toContain(later)
    expect((await call('GET /contacts', undefined, { key: later })).status).toBe(200)
  })
})
