import { requireUser, type SignedIn } from '../../../kit/access.ts'
import type { Ctx } from '../../../kit/context.ts'
import { notFound } from '../../../kit/errors.ts'
import { newId } from '../../../kit/ids.ts'
import type { Executor } from '../../../kit/postgres/db.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { announceUser, sessionsTopic } from '../../users/topics.ts'
import type { Session } from '../shapes.ts'
import { sessionCookie, sessionDays } from './cookie.ts'
import { readSessionToken, signSessionToken } from './jwt.ts'
import { endAllSessions, endOneSession, findSession, insertSession, listSessionsOf, renewSession, type SessionRow } from './sql.ts'

const dayMs = 86_400_000
const keptMs = 5_000
const mostKept = 10_000

/**
 * Opens a session for a user and hands its cookie to the answer. Inside a transaction it exists when that commits.
 */
export async function openSession(ctx: Ctx, userId: string, on: Executor = ctx.db): Promise<void> {
  const now = ctx.clock.now()
  const id = newId('session', now)
  const { address = null, userAgent = null } = ctx.client
  await on.run(insertSession, [id, userId, address, userAgent?.slice(0, 500) ?? null, now, expiry(now)])
  ctx.answer.cookies = [...(ctx.answer.cookies ?? []), sessionCookie(ctx.world, await signSessionToken(ctx, id))]
}

function expiry(now: Date): Date {
  return new Date(now.getTime() + sessionDays * dayMs)
}

/**
 * Who a session token belongs to, or null when the session has ended. A token older than a day is renewed: its new cookie
 * belongs on the answer, so that a session ends 7 days after it was last used.
 */
export async function resumeSession(world: World, token: string): Promise<{ actor: SignedIn; cookie?: string } | null> {
  const read = await readSessionToken(world, token)
  const row = read && (await findKept(world, read.sessionId))
  const now = world.clock.now()
  if (!read || !row || row.expiresAt <= now) return null
  const actor = actorOf(row)
  if (now.getTime() - read.signedAt.getTime() <= dayMs) return { actor }
  await world.db.run(renewSession, [row.id, now, expiry(now)])
  cache(world).kept.delete(row.id)
  return { actor, cookie: sessionCookie(world, await signSessionToken(world, row.id)) }
}

function actorOf({ id, userId, email, emailVerified, memberships }: SessionRow): SignedIn {
  return { kind: 'user', userId, email, emailVerified, sessionId: id, memberships, projectDisabled: false }
}

interface Kept {
  row: SessionRow
  until: number
}

// The end of a session, a changed membership and a suspension are heard by every process: their notices empty the cache.
// While notices do not arrive nothing is cached at all.
const cache = perWorld((world) => {
  const kept = new Map<string, Kept>()
  let generation = 0
  const forget = (touched: (row: SessionRow) => boolean): void => {
    generation++
    for (const [id, { row }] of kept) if (touched(row)) kept.delete(id)
  }
  world.notices.listen(sessionsTopic, (users) => forget(({ userId }) => !users || users.includes(userId)))
  world.notices.listen('keys', (projects) =>
    forget(({ memberships }) => !projects || memberships.some(({ projectId }) => projects.includes(projectId))),
  )
  return { kept, generation: () => generation }
})

async function findKept(world: World, id: string): Promise<SessionRow | undefined> {
  const { kept, generation } = cache(world)
  const there = kept.get(id)
  if (there && there.until > Date.now() && world.notices.connected()) return there.row
  const asked = generation()
  const [row] = await world.db.run(findSession, [id])
  // A look-up that the end of the session overtook must not be kept.
  if (row && asked === generation() && world.notices.connected()) {
    if (kept.size >= mostKept) kept.clear()
    kept.set(id, { row, until: Date.now() + keptMs })
  }
  return row
}

/** The sessions of who is signed in, newest first; one of them is the caller's own. */
export async function listSessions(ctx: Ctx): Promise<{ data: Session[] }> {
  const { userId, sessionId } = requireUser(ctx)
  const rows = await ctx.db.run(listSessionsOf, [userId, ctx.clock.now()])
  return { data: rows.map((row) => ({ ...row, current: row.id === sessionId })) }
}

/** Ends one of the caller's sessions, in every process at once. Fails with RESOURCE_NOT_FOUND. */
export async function endSession(ctx: Ctx, { id }: { id: string }): Promise<void> {
  const { userId } = requireUser(ctx)
  const [ended] = await ctx.db.run(endOneSession, [id, userId])
  if (!ended) throw notFound()
  await announceUser(ctx, userId)
}

/** Ends every session of a user; announceUser tells the processes once that has committed. */
export async function endSessions(on: Executor, userId: string): Promise<void> {
  await on.run(endAllSessions, [userId])
}
