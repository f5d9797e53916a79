import { requireSameProject } from '../../../kit/access.ts'
import type { Ctx, Role } from '../../../kit/context.ts'
import { Failure, notFound } from '../../../kit/errors.ts'
import { rowsOfProjects } from '../../../kit/load.ts'
import type { Connection, ConnectionArgs } from '../../../kit/paging.ts'
import type { Executor, Transaction } from '../../../kit/postgres/db.ts'
import { connectWhole } from '../../../kit/whole-list.ts'
import { announceUser } from '../../users/topics.ts'
import { recordChange } from '../changes.ts'
import { stillAdmin, withPresentRights } from './rights.ts'
import { type ByMember, type Member, type MemberChange, MemberKey, type Members } from './shapes.ts'
import { changeRole, deleteInvitationsBy, deleteMember, findInvitations, findMembers, findProjectsOf, lockProject } from './sql.ts'

/** The members of a project, oldest first, and its invitations, newest first. Fails with RESOURCE_NOT_FOUND. */
export async function listMembers(ctx: Ctx, { id }: { id: string }): Promise<Members> {
  requireSameProject(ctx, id)
  const { db, clock, projectId } = ctx
  const [members, invitations] = await Promise.all([
    db.run(findMembers, [[projectId]]),
    db.run(findInvitations, [[projectId], clock.now()]),
  ])
  return { data: members, members, invitations }
}

const membersOf = rowsOfProjects(findMembers)

/** The members of a project as a connection, oldest first. Fails with RESOURCE_NOT_FOUND. */
export async function connectMembers(ctx: Ctx, { id, ...args }: { id: string } & ConnectionArgs): Promise<Connection<Member>> {
  requireSameProject(ctx, id)
  const keyOf = ({ createdAt, userId }: Member) => [createdAt.toISOString(), userId] as const
  return connectWhole(await membersOf(ctx), args, { keyOf, shape: MemberKey, newestFirst: false })
}

const maxMembers = 1_000
const ranks: Record<Role, number> = { MEMBER: 0, ADMIN: 1, OWNER: 2 }

/** Passes while a project, which is locked, has fewer than 1,000 members. Fails with CONFLICT. */
export async function requireRoomForMember(tx: Executor, projectId: string): Promise<void> {
  if ((await tx.run(findMembers, [[projectId]])).length >= maxMembers)
    throw new Failure('CONFLICT', `A project can have at most ${maxMembers} members.`)
}

/** Changes the role of a member. Fails with FORBIDDEN for the last owner, and when anyone but an owner changes owners; RESOURCE_NOT_FOUND. */
export async function updateMember(ctx: Ctx, { id, userId, role }: MemberChange): Promise<Member> {
  requireSameProject(ctx, id)
  requireOwnerFor(ctx, role)
  const member = await ctx.db.transaction(async (tx) => {
    await lockMembers(tx, ctx.projectId)
    const present = await stillAdmin(ctx, tx)
    const target = await findMember(ctx, tx, userId)
    for (const needed of [role, target.role]) requireOwnerFor(present, needed)
    if (target.role === 'OWNER' && role !== 'OWNER') requireAnotherOwner(target.others)
    const changed = { userId, email: target.email, role, createdAt: target.createdAt }
    if (role === target.role) return changed
    await tx.run(changeRole, [ctx.projectId, userId, role])
    // With fewer rights, nobody may become what they could not invite any more.
    const revoked = ranks[role] < ranks[target.role] ? await revokeInvitations(tx, ctx.projectId, target.email) : []
    await recordChange(ctx, tx, { projectId: ctx.projectId, fields: ['members.role', ...revoked] })
    return changed
  })
  await announceUser(ctx, userId)
  return member
}

/**
 * Ends the membership of the caller or of another member; their access ends at once in every process. Fails with FORBIDDEN
 * for the last owner, and when anyone but an owner removes an owner; RESOURCE_NOT_FOUND.
 */
export async function removeMember(ctx: Ctx, { id, userId }: ByMember): Promise<void> {
  requireSameProject(ctx, id)
  await ctx.db.transaction(async (tx) => {
    await lockMembers(tx, ctx.projectId)
    const present = isCaller(ctx, userId) ? await withPresentRights(ctx, tx) : await stillAdmin(ctx, tx)
    const target = await findMember(ctx, tx, userId)
    if (!isCaller(ctx, userId)) requireOwnerFor(present, target.role)
    if (target.role === 'OWNER') requireAnotherOwner(target.others)
    await tx.run(deleteMember, [ctx.projectId, userId])
    const revoked = await revokeInvitations(tx, ctx.projectId, target.email)
    await recordChange(ctx, tx, { projectId: ctx.projectId, fields: ['members', ...revoked] })
  })
  await announceUser(ctx, userId)
}

/** Ends all memberships of a user, whose account is locked, in a transaction. Fails with CONFLICT, naming the project, where they are the last owner. */
export async function leaveProjects(ctx: Ctx, tx: Transaction, userId: string): Promise<void> {
  for (const { projectId } of await tx.run(findProjectsOf, [userId])) {
    const { name } = await lockMembers(tx, projectId)
    const members = await tx.run(findMembers, [[projectId]])
    const own = members.find((member) => member.userId === userId)
    if (own?.role === 'OWNER' && !members.some((member) => member.userId !== userId && member.role === 'OWNER'))
      throw new Failure('CONFLICT', `You are the last owner of ${name}.`, {
        suggestion: 'Make another member an owner, or delete the project.',
      })
    await tx.run(deleteMember, [projectId, userId])
    const revoked = own ? await revokeInvitations(tx, projectId, own.email) : []
    await recordChange(ctx, tx, { projectId, fields: ['members', ...revoked] })
  }
}

// Those that a member has made; returns what that changes of the project.
async function revokeInvitations(tx: Executor, projectId: string, email: string): Promise<'invitations'[]> {
  const revoked = await tx.run(deleteInvitationsBy, [projectId, email])
  return revoked.length > 0 ? ['invitations'] : []
}

function isCaller({ actor }: Ctx, userId: string): boolean {
  return actor.kind === 'user' && actor.userId === userId
}

/** Fails with FORBIDDEN when anyone but an owner adds, changes or removes an owner. */
export function requireOwnerFor({ actor }: Ctx, role: Role): void {
  if (role === 'OWNER' && actor.kind === 'user' && actor.role !== 'OWNER')
    throw new Failure('FORBIDDEN', 'Only an owner may add, change or remove owners.')
}

function requireAnotherOwner(others: { role: Role }[]): void {
  if (!others.some(({ role }) => role === 'OWNER'))
    throw new Failure('FORBIDDEN', 'The last owner must stay: a project needs an owner.', {
      suggestion: 'Make another member an owner first.',
    })
}

async function findMember(ctx: Ctx, tx: Transaction, userId: string): Promise<Member & { others: Member[] }> {
  const members = await tx.run(findMembers, [[ctx.projectId]])
  const target = members.find((member) => member.userId === userId)
  if (!target) throw notFound()
  return { ...target, others: members.filter((member) => member !== target) }
}

/** Locks a project, so that its members and invitations are changed by one transaction at a time. Fails with RESOURCE_NOT_FOUND. */
export async function lockMembers(tx: Executor, projectId: string): Promise<{ name: string }> {
  const [project] = await tx.run(lockProject, [projectId])
  if (!project) throw notFound()
  return project
}
