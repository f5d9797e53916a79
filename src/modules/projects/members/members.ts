import { requireSameProject } from '../../../kit/access.ts'
import type { Ctx, Role } from '../../../kit/context.ts'
import { Failure, notFound } from '../../../kit/errors.ts'
import { type Connection, type ConnectionArgs, connectWhole } from '../../../kit/paging.ts'
import type { Executor, Transaction } from '../../../kit/postgres/db.ts'
import { notify } from '../../notifications/notify.ts'
import { announceUser } from '../../users/topics.ts'
import { findAccount } from '../../users/users.ts'
import { invite } from './invitations.ts'
import {
  type ByMember,
  type Invitation,
  type Member,
  type MemberChange,
  type MemberDraft,
  MemberKey,
  type Members,
  type NewMember,
} from './shapes.ts'
import { changeRole, deleteMember, findInvitations, findMembers, insertMember, lockProject } from './sql.ts'

/** The members of a project, oldest first, and its invitations, newest first. Fails with RESOURCE_NOT_FOUND. */
export async function listMembers(ctx: Ctx, { id }: { id: string }): Promise<Members> {
  requireSameProject(ctx, id)
  const { db, clock, projectId } = ctx
  const [members, invitations] = await Promise.all([db.run(findMembers, [projectId]), db.run(findInvitations, [projectId, clock.now()])])
  return { data: members, members, invitations }
}

/** The members of a project as a connection, oldest first. Fails with RESOURCE_NOT_FOUND. */
export async function connectMembers(ctx: Ctx, { id, ...args }: { id: string } & ConnectionArgs): Promise<Connection<Member>> {
  requireSameProject(ctx, id)
  const { db, projectId } = ctx
  const keyOf = ({ createdAt, userId }: Member) => [createdAt.toISOString(), userId] as const
  return connectWhole(await db.run(findMembers, [projectId]), args, { keyOf, shape: MemberKey, newestFirst: false })
}

/** Invitations to a project that have not been accepted yet, newest first, 100 at most. Fails with RESOURCE_NOT_FOUND. */
export async function listInvitations(ctx: Ctx, { id }: { id: string }): Promise<Invitation[]> {
  requireSameProject(ctx, id)
  const { db, clock, projectId } = ctx
  return db.run(findInvitations, [projectId, clock.now()])
}

const maxMembers = 1_000

/**
 * Adds a user with an account to a project at once, and invites an address without an account. Only owners may add
 * owners. Fails with CONFLICT for an address that is already a member or invited, FORBIDDEN, RESOURCE_NOT_FOUND.
 */
export async function addMember(ctx: Ctx, draft: MemberDraft): Promise<NewMember> {
  requireSameProject(ctx, draft.id)
  requireOwnerFor(ctx, draft.role)
  const { email, role } = draft
  const account = await findAccount(ctx, email)
  const added = await ctx.db.transaction(async (tx): Promise<NewMember> => {
    const { name } = await lockMembers(tx, ctx.projectId)
    if (!account) return invite(ctx, tx, draft, name)
    if ((await tx.run(findMembers, [ctx.projectId])).length >= maxMembers)
      throw new Failure('CONFLICT', `A project can have at most ${maxMembers} members.`)
    const createdAt = ctx.clock.now()
    const [made] = await tx.run(insertMember, [ctx.projectId, account.id, role, createdAt])
    if (!made) throw new Failure('CONFLICT', `${email} is already a member.`)
    const addedBy = ctx.actor.kind === 'user' ? ctx.actor.email : 'the operator'
    await notify(ctx, { to: email, kind: 'member-added', data: { projectName: name, role, addedBy } }, tx)
    const userId = account.id
    return { userId, email, role, status: 'ACTIVE', member: { userId, email, role, createdAt } }
  })
  if (account) await announceUser(ctx, account.id)
  return added
}

/** Changes the role of a member. Fails with FORBIDDEN for the last owner, and when anyone but an owner changes owners; RESOURCE_NOT_FOUND. */
export async function updateMember(ctx: Ctx, { id, userId, role }: MemberChange): Promise<Member> {
  requireSameProject(ctx, id)
  requireOwnerFor(ctx, role)
  const member = await ctx.db.transaction(async (tx) => {
    const target = await findMember(ctx, tx, userId)
    requireOwnerFor(ctx, target.role)
    if (target.role === 'OWNER' && role !== 'OWNER') requireAnotherOwner(target.others)
    await tx.run(changeRole, [ctx.projectId, userId, role])
    return { userId, email: target.email, role, createdAt: target.createdAt }
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
    const target = await findMember(ctx, tx, userId)
    if (!isCaller(ctx, userId)) requireOwnerFor(ctx, target.role)
    if (target.role === 'OWNER') requireAnotherOwner(target.others)
    await tx.run(deleteMember, [ctx.projectId, userId])
  })
  await announceUser(ctx, userId)
}

/** Ends all memberships of a user, in a transaction. Fails with CONFLICT, naming the project, where they are the last owner. */
export async function leaveProjects(ctx: Ctx, tx: Transaction, userId: string): Promise<void> {
  if (ctx.actor.kind !== 'user') return
  for (const { projectId } of ctx.actor.memberships.toSorted((a, b) => (a.projectId < b.projectId ? -1 : 1))) {
    const { name } = await lockMembers(tx, projectId)
    const members = await tx.run(findMembers, [projectId])
    const isOwner = members.some((member) => member.userId === userId && member.role === 'OWNER')
    if (isOwner && !members.some((member) => member.userId !== userId && member.role === 'OWNER'))
      throw new Failure('CONFLICT', `You are the last owner of ${name}.`, {
        suggestion: 'Make another member an owner, or delete the project.',
      })
    await tx.run(deleteMember, [projectId, userId])
  }
}

function isCaller({ actor }: Ctx, userId: string): boolean {
  return actor.kind === 'user' && actor.userId === userId
}

// Only owners may add, change or remove owners.
function requireOwnerFor({ actor }: Ctx, role: Role): void {
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
  await lockMembers(tx, ctx.projectId)
  const members = await tx.run(findMembers, [ctx.projectId])
  const target = members.find((member) => member.userId === userId)
  if (!target) throw notFound()
  return { ...target, others: members.filter((member) => member !== target) }
}

async function lockMembers(tx: Executor, projectId: string): Promise<{ name: string }> {
  const [project] = await tx.run(lockProject, [projectId])
  if (!project) throw notFound()
  return project
}
