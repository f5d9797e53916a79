import type { Ctx } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import type { Executor } from '../../../kit/postgres/db.ts'
import { hashSecret, randomSecret } from '../../../kit/vault.ts'
import { dropTokens, dropUserTokens, findToken, insertToken, useToken } from './sql.ts'

/** What a mailed link is for. */
export type TokenPurpose = 'VERIFY_EMAIL' | 'RESET_PASSWORD'

const hourMs = 3_600_000

/** How long a mailed link is valid, in hours. */
export const tokenHours: Record<TokenPurpose, number> = { VERIFY_EMAIL: 24, RESET_PASSWORD: 1 }

/** Creates a token of 256 random bits; only its hash is stored. */
export async function makeToken({ clock }: Pick<Ctx, 'clock'>, on: Executor, userId: string, purpose: TokenPurpose): Promise<string> {
  const token = randomSecret()
  const now = clock.now()
  await on.run(insertToken, [hashSecret(token), userId, purpose, now, new Date(now.getTime() + tokenHours[purpose] * hourMs)])
  return token
}

/** Uses a token and returns its user. A token works once, also when it is used twice at the same moment. Fails with BAD_REQUEST when it is unknown, used or expired. */
export async function redeemToken({ clock }: Pick<Ctx, 'clock'>, on: Executor, token: string, purpose: TokenPurpose): Promise<string> {
  const [used] = await on.run(useToken, [hashSecret(token), purpose, clock.now()])
  if (!used) throw invalidLink()
  return used.userId
}

/** The user of a valid token, without using it. Fails with BAD_REQUEST. */
export async function checkToken({ db, clock }: Pick<Ctx, 'db' | 'clock'>, token: string, purpose: TokenPurpose): Promise<string> {
  const [found] = await db.run(findToken, [hashSecret(token), purpose, clock.now()])
  if (!found) throw invalidLink()
  return found.userId
}

/** Invalidates every token of a user, or those for one purpose. */
export async function dropTokensOf(on: Executor, userId: string, purpose?: TokenPurpose): Promise<void> {
  await on.run(dropUserTokens, [userId, purpose ?? null])
}

/** Deletes tokens that have expired. */
export async function forgetTokens({ db, clock }: Pick<Ctx, 'db' | 'clock'>): Promise<void> {
  await db.run(dropTokens, [clock.now()])
}

function invalidLink(): Failure {
  return new Failure('BAD_REQUEST', 'This link is invalid, has been used already, or has expired.', { suggestion: 'Request a new one.' })
}
