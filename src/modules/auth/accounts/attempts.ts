import type { Ctx } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import { fingerprint } from '../../../kit/vault.ts'
import { countAttempt, dropAttempts, forgetAttempt, returnAttempt } from './sql.ts'

/** How often something may be tried in a while, by whom it concerns. */
export interface Allowed {
  /** What is counted, such as `login`. */
  name: string
  most: number
  windowMs: number
  /** The sentence for who tried too often. */
  message: string
}

type Counting = Pick<Ctx, 'db' | 'clock'>

/** Counts an attempt before it is made; fails with RATE_LIMIT_EXCEEDED and Retry-After once there were too many in the window. */
export async function takeAttempt({ db, clock }: Counting, { name, most, windowMs, message }: Allowed, subject: string): Promise<void> {
  const now = clock.now()
  const [row] = await db.run(countAttempt, [keyOf(name, subject), now, new Date(now.getTime() + windowMs)])
  if (!row || row.count <= most) return
  const seconds = Math.max(1, Math.ceil((row.expiresAt.getTime() - now.getTime()) / 1000))
  throw new Failure('RATE_LIMIT_EXCEEDED', message, { headers: { 'Retry-After': String(seconds) } })
}

/** Forgets the attempts on a subject: it succeeded. */
export async function forgetAttempts({ db }: Pick<Ctx, 'db'>, { name }: Pick<Allowed, 'name'>, subject: string): Promise<void> {
  await db.run(forgetAttempt, [keyOf(name, subject)])
}

/** Takes one attempt back: it succeeded, but others on the same subject go on counting. */
export async function takeBackAttempt({ db }: Pick<Ctx, 'db'>, { name }: Pick<Allowed, 'name'>, subject: string): Promise<void> {
  await db.run(returnAttempt, [keyOf(name, subject)])
}

/** Forgets attempts whose window is over. */
export async function forgetOldAttempts({ db, clock }: Counting): Promise<void> {
  await db.run(dropAttempts, [clock.now()])
}

// Addresses of people are not kept in clear for having been typed.
function keyOf(name: string, subject: string): string {
  return `${name}:${fingerprint(subject)}`
}
