import { requireUser, type SignedIn } from '../../../kit/access.ts'
import { createCache } from '../../../kit/cache.ts'
import type { Ctx } from '../../../kit/context.ts'
import { Failure, notFound } from '../../../kit/errors.ts'
import { newId } from '../../../kit/ids.ts'
import type { Executor, Transaction } from '../../../kit/postgres/db.ts'
import { recent } from '../../../kit/recent.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { keysTopic } from '../../projects/keys.ts'
import { announceUser, sessionsTopic } from '../../users/topics.ts'
import type { Session } from '../shapes.ts'
import { readSessionCookie, sessionCookie, sessionDays } from './cookie.ts'
import { readSessionToken, signSessionToken, unverifiedSessionId } from './jwt.ts'
import {
  dropSessions,
  endAllSessions,
  endOldestSessions,
  endOneSession,
  findSession,
  insertSession,
  listSessionsOf,
  renewSession,
  type SessionRow,
} from './sql.ts'

const dayMs = 86_400_000

/** A session that is about to be opened. */
export interface NewSession {
  id: string
  openedAt: Date
  cookie: string
}

/**
 * Prepares a session, before the transaction that opens it, which would otherwise keep its connection while the token is signed.
 * Fails with BAD_REQUEST over a websocket, whose answers cannot set a cookie: nobody would have the session.
 */
export async function newSession(ctx: Ctx): Promise<NewSession> {
  if (ctx.viaSocket)
    throw new Failure('BAD_REQUEST', 'A websocket cannot carry the cookie of a session.', {
      suggestion: 'Sign in over HTTP: POST /graphql.',
    })
  const openedAt = ctx.clock.now()
  const id = newId('session', openedAt)
  return { id, openedAt, cookie: sessionCookie(ctx.world, await signSessionToken(ctx, id)) }
}

// As many as a person is shown.
const maxPerUser = 100

/**
 * Opens a session for a user in a transaction that has locked or created the account. Once that commits, the session exists and its
 * cookie is set on the answer. A user has 100 at most: the one that was used least recently ends.
 */
export async function openSession(ctx: Ctx, tx: Transaction, { session, userId }: { session: NewSession; userId: string }): Promise<void> {
  const { id, openedAt, cookie } = session
  const { address = null, userAgent = null } = ctx.client
  await tx.run(insertSession, [id, userId, address, userAgent?.slice(0, 500) ?? null, openedAt, expiry(openedAt)])
  const ended = await tx.run(endOldestSessions, [userId, id, maxPerUser])
  tx.afterCommit(() => {
    ctx.answer.cookies = [...(ctx.answer.cookies ?? []), cookie]
    if (ended.length > 0) ctx.notices.publish(sessionsTopic, userId)
  })
}

function expiry(now: Date): Date {
  return new Date(now.getTime() + sessionDays * dayMs)
}

/**
 * The user of a session token, or null when the session has ended. A token older than a day is renewed, and the new cookie
 * must be set on the answer: a session ends 7 days after it was last renewed.
 */
export async function resumeSession(world: World, token: string): Promise<{ actor: SignedIn; cookie?: string } | null> {
  const read = await readSessionToken(world, token)
  const row = read && (await sessionCache(world).find(read.sessionId))
  const now = world.clock.now()
  if (!read || !row || row.expiresAt <= now) return null
  usersOfSessions(world).set(row.id, row.userId)
  const actor = actorOf(row)
  if (now.getTime() - read.signedAt.getTime() <= dayMs) return { actor }
  await world.db.run(renewSession, [row.id, now, expiry(now)])
  sessionCache(world).forget(({ key }) => key === row.id)
  return { actor, cookie: sessionCookie(world, await signSessionToken(world, row.id)) }
}

// Whose the sessions are that have called this process.
const usersOfSessions = perWorld(() => recent<string, string>({ max: 10_000 }))

/**
 * Whose session a Cookie header has, as far as this process knows without verifying or looking it up: only to count the call as theirs,
 * not to let them in.
 */
export function userOfSession(world: World, cookie: string | undefined): string | undefined {
  const token = readSessionCookie(world, cookie)
  const id = token === undefined ? undefined : unverifiedSessionId(token)
  return id === undefined ? undefined : usersOfSessions(world).get(id)
}

/**
 * The user of a session that has been authenticated before, and when it ends unless it is renewed; null when it has ended.
 * Looking does not renew it.
 */
export async function findLiveSession(world: World, id: string): Promise<{ actor: SignedIn; expiresAt: Date } | null> {
  const isLive = (row: SessionRow | null): row is SessionRow => row !== null && row.expiresAt > world.clock.now()
  const cached = await sessionCache(world).find(id)
  // Another process may have renewed it, which is not announced.
  const row = isLive(cached) ? cached : await sessionCache(world).refresh(id)
  return isLive(row) ? { actor: actorOf(row), expiresAt: row.expiresAt } : null
}

/** Whether a session, read inside a transaction, has not been ended since it was authenticated. */
export async function isOpen(tx: Executor, id: string): Promise<boolean> {
  return (await tx.run(findSession, [id])).length > 0
}

/** Requires inside a transaction that a session has not been ended since it was authenticated. Fails with UNAUTHORIZED. */
export async function requireOpen(tx: Executor, id: string): Promise<void> {
  if (!(await isOpen(tx, id))) throw new Failure('UNAUTHORIZED')
}

function actorOf({ id, userId, email, emailVerified, memberships }: SessionRow): SignedIn {
  return { kind: 'user', userId, email, emailVerified, sessionId: id, memberships, projectDisabled: false }
}

// The end of a session, a changed membership and a suspension take effect in every process, because their notices empty the
// cache. The maximum age covers notices that are lost without being detected, so it is measured by the machine's clock, not
// by the world's.
const sessionCache = perWorld((world) =>
  createCache({
    max: 10_000,
    ttlMs: 5_000,
    load: async (id: string): Promise<SessionRow | null> => (await world.db.run(findSession, [id]))[0] ?? null,
    emptiedBy: {
      notices: world.notices,
      topics: [
        { topic: sessionsTopic, touches: (users, { answer }) => answer !== null && users.includes(answer.userId) },
        {
          topic: keysTopic,
          touches: (projects, { answer }) => answer?.memberships.some(({ projectId }) => projects.includes(projectId)) ?? false,
        },
      ],
    },
  }),
)

/** The sessions of the caller, newest first, at most 100; `current` marks the session of this call. */
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

/** Ends every session of a user. Call `announceUser` after the commit, so that every process handles it. */
export async function endSessions(on: Executor, userId: string): Promise<void> {
  await on.run(endAllSessions, [userId])
}

/** Deletes sessions that have expired, and ends what is still connected with one of them in any process. */
export async function forgetSessions({ db, clock, notices }: Pick<World, 'db' | 'clock' | 'notices'>): Promise<void> {
  for (const { userId } of await db.run(dropSessions, [clock.now()])) notices.publish(sessionsTopic, userId)
}
