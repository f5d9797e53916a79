import type { Ctx } from '../../kit/context.ts'
import { notFound } from '../../kit/errors.ts'
import { newId } from '../../kit/ids.ts'
import { announceEverywhere } from './announce.ts'
import { keysTopic, newKeys, openKeys } from './keys.ts'
import type { Project, ProjectChange, ProjectDraft } from './shapes.ts'
import { replaceKeys } from './sql.ts'

const visible = {
  id: true,
  name: true,
  disabled: true,
  disabledReason: true,
  tracking: true,
  language: true,
  createdAt: true,
  updatedAt: true,
  keys: { select: { kind: true, sealed: true } },
} as const

/** Makes a project with a fresh pair of keys; `ownerId` is the user who owns it. */
export async function createProject(
  { db, clock, vault }: Pick<Ctx, 'db' | 'clock' | 'vault'>,
  { name, ownerId }: ProjectDraft,
): Promise<Project> {
  const now = clock.now()
  const { keys, ...project } = await db.prisma.project.create({
    data: {
      id: newId('project', now),
      name,
      createdAt: now,
      updatedAt: now,
      keys: { create: newKeys(vault).map((key) => ({ ...key, createdAt: now })) },
      ...(ownerId !== undefined && { memberships: { create: { userId: ownerId, role: 'OWNER', createdAt: now } } }),
    },
    select: visible,
  })
  return { ...project, ...openKeys(vault, keys) }
}

/** The project of the call, with both keys. Fails with RESOURCE_NOT_FOUND for another project's id. */
export async function getProject(
  { db, vault, projectId }: Pick<Ctx, 'db' | 'vault' | 'projectId'>,
  { id }: { id: string },
): Promise<Project> {
  const found = id === projectId && (await db.prisma.project.findUnique({ where: { id }, select: visible }))
  if (!found) throw notFound()
  const { keys, ...project } = found
  return { ...project, ...openKeys(vault, keys) }
}

/** Changes what is sent of name, tracking and language. Fails with RESOURCE_NOT_FOUND for another project's id. */
export async function updateProject(ctx: Ctx, { id, ...change }: ProjectChange): Promise<Project> {
  if (id !== ctx.projectId) throw notFound()
  if (Object.keys(change).length > 0)
    await ctx.db.prisma.project.updateMany({ where: { id }, data: { ...change, updatedAt: ctx.clock.now() } })
  return getProject(ctx, { id })
}

/**
 * Replaces both keys at once; the old ones end in every process with the answer, live sockets included. Fails with
 * RESOURCE_NOT_FOUND for another project's id.
 */
export async function regenerateKeys(ctx: Ctx, { id }: { id: string }): Promise<Project> {
  if (id !== ctx.projectId) throw notFound()
  const keys = newKeys(ctx.vault)
  const column = (field: 'kind' | 'hash' | 'sealed') => keys.map((key) => key[field])
  await ctx.db.run(replaceKeys, [id, column('kind'), column('hash'), column('sealed'), ctx.clock.now()])
  await announceEverywhere(ctx.notices, keysTopic, id)
  return getProject(ctx, { id })
}
