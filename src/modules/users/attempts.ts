import type { Ctx } from '../../kit/context.ts'
import { type Failure, tooManyRequests } from '../../kit/errors.ts'
import { networkOf, siteFactor, siteOf } from '../../kit/networks.ts'
import type { Database, Executor } from '../../kit/postgres/db.ts'
import { createShare } from '../../kit/share.ts'
import { hashSecret } from '../../kit/vault.ts'
import { perWorld } from '../../kit/world.ts'
import { countAttempt, dropAttempts, forgetAttempt, readAttempts } from './sql.ts'

/** How often something may be attempted within a window of time, per subject. */
export interface AttemptLimit {
  /** What is counted, such as `login account`. */
  name: string
  /** Attempts per window. */
  max: number
  windowMs: number
  /** What is said after too many attempts: a sentence, which is followed by when to try again. */
  message: string
}

/**
 * A limit, and the subject it is applied to, such as an email address. An IP address counts as its network; of IPv6 its site (/48), which
 * has 65,536 of them, may make ten times as many attempts.
 */
export type LimitedSubject = readonly [AttemptLimit, string]

/** In a transaction (`db`) attempts are counted if and only if it commits; otherwise whether the caller has left or not. */
type Call = Pick<Ctx, 'clock'> & { db: Executor | Database }

/** Counts an attempt before it is made. Fails with RATE_LIMIT_EXCEEDED and Retry-After when it exceeds the limit of the window. */
export async function takeAttempt(call: Call, limit: AttemptLimit, subject: string): Promise<void> {
  await countFailure(call, [[limit, subject]])
}

/** Passes while the failures that were counted leave room for another attempt. Fails with RATE_LIMIT_EXCEEDED and Retry-After. */
export async function requireAttemptsLeft(call: Call, subjects: readonly LimitedSubject[]): Promise<void> {
  const now = call.clock.now()
  for (const [limit, subject] of subjects.flatMap(withSite)) {
    const [counted] = await call.db.run(readAttempts, [keyOf(limit, subject), now])
    if (counted && counted.count >= limit.max) throw tooMany(call, limit, counted)
  }
}

/**
 * Counts a failed attempt on every subject. Fails with RATE_LIMIT_EXCEEDED when it exceeds a limit: of attempts that were
 * made at the same moment no more than the limit learn that they failed.
 */
export async function countFailure(call: Call, subjects: readonly LimitedSubject[]): Promise<void> {
  const exceeded: Failure[] = []
  for (const [limit, subject] of subjects.flatMap(withSite)) {
    const counted = await count(call, limit, subject)
    if (counted.count > limit.max) exceeded.push(tooMany(call, limit, counted))
  }
  if (exceeded[0]) throw exceeded[0]
}

const turnsOf = perWorld(() =>
  createShare({ max: Number.POSITIVE_INFINITY, maxPerOwner: 1, busy: 'Too many attempts of this kind are being made at the same time.' }),
)

/**
 * Makes an attempt on a subject when those before it, in this process, have ended: many at the same moment cannot all begin before the
 * first of them counts, or has used up what each needs. Fails with SERVICE_UNAVAILABLE after waiting 15 s.
 */
export function attemptInTurn<Result>(
  { world, left }: Pick<Ctx, 'world' | 'left'>,
  [limit, subject]: LimitedSubject,
  attempt: () => Promise<Result>,
): Promise<Result> {
  return turnsOf(world)(keyOf(limit, subject), attempt, { ended: left?.() })
}

/** Resets the count of a subject after a success. */
export async function forgetAttempts({ db }: Pick<Call, 'db'>, limit: AttemptLimit, subject: string): Promise<void> {
  await db.run(forgetAttempt, [keyOf(limit, subject)])
}

/** Deletes counts whose window has ended. */
export async function forgetOldAttempts({ db, clock }: Call): Promise<void> {
  await db.run(dropAttempts, [clock.now()])
}

interface Counted {
  count: number
  expiresAt: Date
}

async function count({ db, clock }: Call, limit: AttemptLimit, subject: string): Promise<Counted> {
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + limit.windowMs)
  const on = 'lasting' in db ? db.lasting() : db
  const [counted] = await on.run(countAttempt, [keyOf(limit, subject), now, expiresAt])
  return counted ?? { count: 1, expiresAt }
}

function tooMany({ clock }: Call, { message }: AttemptLimit, { expiresAt }: Counted): Failure {
  const seconds = Math.max(1, Math.ceil((expiresAt.getTime() - clock.now().getTime()) / 1000))
  return tooManyRequests(message, seconds)
}

function withSite([limit, subject]: LimitedSubject): LimitedSubject[] {
  const site = siteOf(subject)
  if (site === networkOf(subject)) return [[limit, subject]]
  return [
    [limit, subject],
    [{ ...limit, name: `${limit.name} of a site`, max: limit.max * siteFactor }, site],
  ]
}

// A hash, so that an address is not stored in plain text only because somebody typed it. Of the IP address of a client always its
// network: of IPv6 one customer has 2^64 addresses.
function keyOf({ name }: AttemptLimit, subject: string): string {
  return `${name}:${hashSecret(networkOf(subject))}`
}
