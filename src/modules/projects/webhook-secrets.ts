import type { Ctx } from '../../kit/context.ts'
import type { Executor, Statement, Transaction } from '../../kit/postgres/db.ts'
import { newWebhookSecret } from '../../kit/webhook-signature.ts'
import {
  insertWebhookSecrets,
  lockWebhookSecret,
  type NoSecretRow,
  replaceWebhookSecret,
  selectKnownSecrets,
  selectWebhookSecrets,
  type WebhookSecretRow,
} from './sql.ts'

const purpose = 'webhook'
const signsOnMs = 24 * 60 * 60 * 1_000
const maxEarlier = 4

type Call = Pick<Ctx, 'clock' | 'vault'> & { db: Executor }

/**
 * The secrets that sign the webhooks of projects, by project, as far as the caller may know them by now; one that has none yet gets one.
 * What was read of these projects before, such as their keys, was theirs to know as well.
 */
export async function getKnownSecrets(ctx: Call & Pick<Ctx, 'actor'>, projectIds: string[]): Promise<Map<string, string>> {
  const { actor } = ctx
  const hash = actor.kind === 'key' ? (actor.hash ?? null) : null
  const [session, user] = actor.kind === 'user' ? [actor.sessionId, actor.userId] : [null, null]
  const rows = await readAll(ctx, selectKnownSecrets, [projectIds, hash, session, user])
  return new Map(rows.map(({ projectId, sealed }) => [projectId, ctx.vault.open(purpose, sealed)]))
}

/** Every secret that signs the webhooks of a project now: its own, and those that were replaced less than 24 hours ago. Newest first. */
export async function getSigningSecrets(ctx: Call & Pick<Ctx, 'projectId'>): Promise<string[]> {
  const [row] = await readAll(ctx, selectWebhookSecrets, [[ctx.projectId]])
  if (!row) return []
  const valid = row.earlier.filter(({ until }) => new Date(until) > ctx.clock.now())
  return [row, ...valid].map(({ sealed }) => ctx.vault.open(purpose, sealed))
}

type Values = [projectIds: string[], ...(string | null)[]]

async function readAll(ctx: Call, select: Statement<WebhookSecretRow | NoSecretRow>, values: Values): Promise<WebhookSecretRow[]> {
  const rows = await ctx.db.run(select, values)
  const missing = rows.filter(({ sealed }) => sealed === null).map(({ projectId }) => projectId)
  if (missing.length > 0) await addWebhookSecrets(ctx, ctx.db, missing)
  const all = missing.length > 0 ? await ctx.db.run(select, values) : rows
  return all.filter((row) => row.sealed !== null)
}

/** Gives a secret to each of some projects that have none. */
export async function addWebhookSecrets({ clock, vault }: Pick<Ctx, 'clock' | 'vault'>, tx: Executor, projectIds: string[]): Promise<void> {
  const sealed = projectIds.map(() => vault.seal(purpose, newWebhookSecret()))
  await tx.run(insertWebhookSecrets, [projectIds, sealed, clock.now()])
}

/** Replaces the secret of a project. The one before signs as well for 24 hours, at most the newest four. */
export async function renewWebhookSecret(
  { clock, vault }: Pick<Ctx, 'clock' | 'vault'>,
  tx: Transaction,
  projectId: string,
): Promise<void> {
  const now = clock.now()
  await addWebhookSecrets({ clock, vault }, tx, [projectId])
  const [row] = await tx.run(lockWebhookSecret, [projectId])
  if (!row) return
  const ending = { sealed: row.sealed, until: new Date(now.getTime() + signsOnMs).toISOString() }
  const earlier = [ending, ...row.earlier.filter(({ until }) => new Date(until) > now)].slice(0, maxEarlier)
  await tx.run(replaceWebhookSecret, [projectId, vault.seal(purpose, newWebhookSecret()), JSON.stringify(earlier), now])
}
