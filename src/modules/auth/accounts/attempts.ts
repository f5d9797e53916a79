import type { Ctx } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import { hashSecret } from '../../../kit/vault.ts'
import { countAttempt, dropAttempts, forgetAttempt, returnAttempt } from './sql.ts'

/** How often something may be attempted within a window of time, per subject. */
export interface AttemptLimit {
  /** What is counted, such as `login account`. */
  name: string
  /** Attempts per window. */
  max: number
  windowMs: number
  /** The error message after too many attempts. */
  message: string
}

type Call = Pick<Ctx, 'db' | 'clock'>

/** Counts an attempt before it is made. Fails with RATE_LIMIT_EXCEEDED and Retry-After when it exceeds the limit of the window. */
export async function takeAttempt({ db, clock }: Call, { name, max, windowMs, message }: AttemptLimit, subject: string): Promise<void> {
  const now = clock.now()
  const [row] = await db.run(countAttempt, [keyOf(name, subject), now, new Date(now.getTime() + windowMs)])
  if (!row || row.count <= max) return
  const seconds = Math.max(1, Math.ceil((row.expiresAt.getTime() - now.getTime()) / 1000))
  throw new Failure('RATE_LIMIT_EXCEEDED', message, { headers: { 'Retry-After': String(seconds) } })
}

/** Resets the count of a subject after a success. */
export async function forgetAttempts({ db }: Pick<Ctx, 'db'>, { name }: Pick<AttemptLimit, 'name'>, subject: string): Promise<void> {
  await db.run(forgetAttempt, [keyOf(name, subject)])
}

/** Takes one attempt off the count of a subject: it succeeded, but other attempts on the same subject still count. */
export async function takeBackAttempt({ db }: Pick<Ctx, 'db'>, { name }: Pick<AttemptLimit, 'name'>, subject: string): Promise<void> {
  await db.run(returnAttempt, [keyOf(name, subject)])
}

/** Deletes counts whose window has ended. */
export async function forgetOldAttempts({ db, clock }: Call): Promise<void> {
  await db.run(dropAttempts, [clock.now()])
}

// A hash, so that an address is not stored in plain text only because somebody typed it.
function keyOf(name: string, subject: string): string {
  return `${name}:${hashSecret(subject)}`
}
