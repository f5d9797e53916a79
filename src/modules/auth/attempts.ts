import type { Ctx } from '../../kit/context.ts'
import { statement } from '../../kit/db.ts'
import { Failure } from '../../kit/errors.ts'
import { fingerprint } from '../../kit/vault.ts'

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

const across = { allProjects: 'people sign in before there is a project' }

// One statement that counts and answers, so that attempts at the same moment cannot pass together.
const countAttempt = statement<{ count: number; expiresAt: Date }>(
  'auth_count_attempt',
  `insert into auth_attempts as a (key, count, starts_at, expires_at) values ($1, 1, $2, $3)
   on conflict (key) do update set
     count = case when a.expires_at <= $2 then 1 else a.count + 1 end,
     starts_at = case when a.expires_at <= $2 then $2 else a.starts_at end,
     expires_at = case when a.expires_at <= $2 then $3 else a.expires_at end
   returning count, expires_at as "expiresAt"`,
  across,
)
const forgetAttempt = statement<object>('auth_forget_attempt', 'delete from auth_attempts where key = $1', across)
const returnAttempt = statement<object>(
  'auth_return_attempt',
  'update auth_attempts set count = greatest(count - 1, 0) where key = $1',
  across,
)
const dropAttempts = statement<object>('auth_drop_attempts', 'delete from auth_attempts where expires_at < $1', across)

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
