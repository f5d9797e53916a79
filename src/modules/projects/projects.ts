import { enterProject, requireSameProject, requireUser } from '../../kit/access.ts'
import { announceEverywhere } from '../../kit/announce.ts'
import type { Ctx } from '../../kit/context.ts'
import { Failure, notFound } from '../../kit/errors.ts'
import { newId } from '../../kit/ids.ts'
import { type Connection, type ConnectionArgs, idKey } from '../../kit/paging.ts'
import type { Executor, Transaction } from '../../kit/postgres/db.ts'
import { connectWhole } from '../../kit/whole-list.ts'
import { announceUser } from '../users/topics.ts'
import { recordChange } from './changes.ts'
import { keysTopic, newKeys, openKeys } from './keys.ts'
import { requireSignedIn, stillAdmin } from './members/rights.ts'
import type { KeyPair, Project, ProjectChange, ProjectDraft, ProjectSecrets, Utm } from './shapes.ts'
import {
  type CreatedProject,
  countOwned,
  insertProject,
  lockToSuspend,
  replaceKeys,
  selectKeys,
  setDisabled,
  updateSettings,
} from './sql.ts'
import { getKnownSecrets, getSigningSecrets, renewWebhookSecret } from './webhook-secrets.ts'

const projectColumns = {
  id: true,
  name: true,
  disabled: true,
  disabledReason: true,
  tracking: true,
  language: true,
  utm: true,
  createdAt: true,
  updatedAt: true,
  keys: { select: { kind: true, sealed: true } },
} as const

/**
 * Creates a project with a new pair of keys; a signed-in user becomes its owner. The program itself may give an `id`, for the
 * installation's own project, and an `ownerId`. Fails with LIMIT_REACHED for a user who owns as many as MAX_PROJECTS_PER_USER allows.
 */
export async function createProject(
  ctx: Ctx,
  { name, id, ownerId }: ProjectDraft & { id?: string; ownerId?: string },
): Promise<Project & ProjectSecrets> {
  const { db, clock, vault, actor } = ctx
  const now = clock.now()
  const isOfPerson = actor.kind === 'user'
  const owner = isOfPerson ? actor.userId : ownerId
  const keys = newKeys(vault)
  const columns = (['kind', 'hash', 'sealed'] as const).map((field) => keys.map((key) => key[field]))
  const { project, webhookSecret } = await db.transaction(async (tx) => {
    if (isOfPerson) await requireRoomForProject(ctx, tx, actor.userId)
    const [made] = await tx.run(insertProject, [id ?? newId('project', now), name, now, ...columns, owner ?? null])
    const { id: projectId } = made as CreatedProject
    const [secret = ''] = await getSigningSecrets({ ...ctx, db: tx, projectId })
    return { project: made as CreatedProject, webhookSecret: secret }
  })
  if (isOfPerson) {
    await announceUser(ctx, actor.userId)
    // The rest of this request may already use it.
    actor.memberships.push({ projectId: project.id, role: 'OWNER', projectDisabled: false })
  }
  return { ...project, ...openKeys(vault, keys), webhookSecret, ...(isOfPerson && { role: 'OWNER' as const }) }
}

// Under a lock of the account: otherwise parallel calls could exceed the limit, and somebody whose session has ended with the account's
// passing to another person would leave a project there whose key they know.
async function requireRoomForProject(ctx: Ctx, tx: Transaction, userId: string): Promise<void> {
  const { config } = ctx
  await requireSignedIn(ctx, tx)
  const [owned] = await tx.run(countOwned, [userId])
  const max = config.MAX_PROJECTS_PER_USER
  if (owned && owned.count >= max)
    throw new Failure('LIMIT_REACHED', `You own as many projects as one person may: ${max}.`, {
      suggestion: 'Delete projects you no longer need, or make another person their owner.',
    })
}

/** The projects of the signed-in user, newest first. */
export async function listProjects(ctx: Ctx): Promise<Project[]> {
  const { memberships } = requireUser(ctx)
  const rows = await ctx.db.prisma.project.findMany({
    where: { id: { in: memberships.map(({ projectId }) => projectId) } },
    select: projectColumns,
    orderBy: { id: 'desc' },
  })
  return shownAll(
    ctx,
    rows.map((row) => [enterProject(ctx, row.id), row]),
  )
}

/** The projects of the person signed in as a connection, newest first. */
export async function connectProjects(ctx: Ctx, args: ConnectionArgs): Promise<Connection<Project>> {
  return connectWhole(await listProjects(ctx), args, { keyOf: ({ id }) => [id], shape: idKey('project'), newestFirst: true })
}

/**
 * A project; without an id that of the call. The secret key is included for admins, owners and the key itself. Fails with
 * RESOURCE_NOT_FOUND for a project the caller has no access to.
 */
export async function getProject(call: Ctx, { id }: { id?: string | null }): Promise<Project> {
  const ctx = typeof id === 'string' ? enterProject(call, id) : call
  const [project] = await shownAll(ctx, [[ctx, await readProject(ctx)]])
  if (!project) throw notFound()
  return project
}

async function readProject({ db, projectId }: Ctx): Promise<Row> {
  const found = await db.prisma.project.findUnique({ where: { id: projectId }, select: projectColumns })
  if (!found) throw notFound()
  return found
}

/** Both keys of the project. Fails with RESOURCE_NOT_FOUND for another project's id. */
export async function getProjectKeys(ctx: Ctx, { id }: { id: string }): Promise<KeyPair> {
  requireSameProject(ctx, id)
  return openKeys(ctx.vault, await ctx.db.run(selectKeys, [id]))
}

type Row = Omit<Project, 'public' | 'secret' | 'webhookSecret' | 'role' | 'utm'> & {
  utm: unknown
  keys: { kind: 'PUBLIC' | 'SECRET'; sealed: string }[]
}

// Each as its caller may see it. One that was deleted since, or to which the caller has lost their access, is left out of several; fails
// where none remains.
async function shownAll(call: Ctx, rows: [Ctx, Row][]): Promise<Project[]> {
  const mayKnow = rows.filter(([{ actor }]) => actor.kind !== 'user' || actor.role !== 'MEMBER').map(([, { id }]) => id)
  const webhookSecrets = mayKnow.length > 0 ? await getKnownSecrets(call, mayKnow) : new Map<string, string>()
  if (mayKnow.length > 0 && webhookSecrets.size === 0) throw accessChanged(call)
  const lost = new Set(mayKnow.filter((id) => !webhookSecrets.has(id)))
  return rows.flatMap(([ctx, row]) => {
    if (lost.has(row.id)) return []
    const { secret, ...keys } = openKeys(ctx.vault, row.keys)
    const webhookSecret = webhookSecrets.get(row.id)
    return [{ ...shown(ctx, row), ...keys, ...(webhookSecret !== undefined && { secret, webhookSecret }) }]
  })
}

function shown({ actor }: Ctx, { keys: _, utm, ...row }: Row): Omit<Project, 'public'> {
  // The parameters are stored as they were checked.
  return { ...row, utm: utm as Utm | null, ...(actor.kind === 'user' && actor.role && { role: actor.role }) }
}

function accessChanged({ actor }: Ctx): Failure {
  if (actor.kind === 'key') return new Failure('INVALID_API_KEY')
  return new Failure('SERVICE_UNAVAILABLE', 'What you may see has changed while this was read.', {
    suggestion: 'Ask again.',
    headers: { 'Retry-After': '1' },
  })
}

/** Changes name, tracking, language and UTM parameters; fields that are left out stay. Fails with RESOURCE_NOT_FOUND for another project's id. */
export async function updateProject(ctx: Ctx, { id, ...change }: ProjectChange): Promise<Project> {
  requireSameProject(ctx, id)
  if (Object.values(change).some((value) => value !== undefined)) {
    // A setting that the statement does not store is a compile error here.
    const { name = null, tracking = null, language = null, utm, ...notStored } = change
    notStored satisfies Record<string, never>
    return withSecrets(ctx, id, async (tx) => {
      const [changed] = await tx.run(updateSettings, [id, name, tracking, language, ctx.clock.now(), utm !== undefined, utm ?? null])
      await stillAdmin(ctx, tx)
      await recordChange(ctx, tx, { projectId: id, fields: changed?.fields ?? [] })
    })
  }
  return getProject(ctx, { id })
}

// Changes a project in a transaction, and answers it with the secrets that it has there: by the time that the rest is read the caller may
// have lost their access, and the secrets may be those of whoever came after.
async function withSecrets(ctx: Ctx, id: string, change: (tx: Transaction) => Promise<void>): Promise<Project & ProjectSecrets> {
  const { db, vault } = ctx
  const secrets = await db.transaction(async (tx) => {
    await change(tx)
    const [webhookSecret = ''] = await getSigningSecrets({ ...ctx, db: tx, projectId: id })
    return { ...openKeys(vault, await tx.run(selectKeys, [id])), webhookSecret }
  })
  return { ...shown(ctx, await readProject(ctx)), ...secrets }
}

/**
 * Replaces both keys. When it returns, the old ones are refused in every process, and open sockets that use them are
 * closed. Fails with RESOURCE_NOT_FOUND for another project's id.
 */
export async function regenerateKeys(ctx: Ctx, { id }: { id: string }): Promise<Project & KeyPair> {
  requireSameProject(ctx, id)
  const project = await withSecrets(ctx, id, async (tx) => {
    await stillAdmin(ctx, tx)
    await recordChange(ctx, tx, { projectId: id, fields: ['keys'] })
    await replaceKeysOf(ctx, tx, id)
  })
  await announceEverywhere(ctx.notices, keysTopic, id)
  return project
}

/** Replaces both keys of a project in a transaction: call `announceKeys` once it has committed. */
export async function replaceKeysOf(ctx: Ctx, tx: Transaction, projectId: string): Promise<void> {
  const keys = newKeys(ctx.vault)
  const column = (field: 'kind' | 'hash' | 'sealed') => keys.map((key) => key[field])
  await tx.run(replaceKeys, [projectId, column('kind'), column('hash'), column('sealed'), ctx.clock.now()])
}

/** When it returns, the earlier keys of some projects are refused in every process, and open sockets that use them are closed. */
export async function announceKeys({ notices }: Pick<Ctx, 'notices'>, projects: string[]): Promise<void> {
  await Promise.all(projects.map((id) => announceEverywhere(notices, keysTopic, id)))
}

/**
 * Replaces the secret that signs webhooks. The one before it signs them as well for 24 hours, so that receivers have time to take the
 * new one. Fails with RESOURCE_NOT_FOUND for another project's id.
 */
export async function rotateWebhookSecret(ctx: Ctx, { id }: { id: string }): Promise<Project> {
  requireSameProject(ctx, id)
  return withSecrets(ctx, id, async (tx) => {
    await stillAdmin(ctx, tx)
    await renewWebhookSecret(ctx, tx, id)
    await recordChange(ctx, tx, { projectId: id, fields: ['webhookSecret'] })
  })
}

/** Locks a project against other suspensions until the transaction ends; null when it does not exist. */
export async function lockProjectToSuspend(tx: Executor, projectId: string): Promise<{ disabled: boolean; reason: string | null } | null> {
  const [row] = await tx.run(lockToSuspend, [projectId])
  return row ?? null
}

/** Disables a project for a reason, or enables it again with null; every call checks this. */
export async function setDisabledReason(
  tx: Executor,
  { projectId, reason, at }: { projectId: string; reason: string | null; at: Date },
): Promise<void> {
  await tx.run(setDisabled, [projectId, reason, at])
}
