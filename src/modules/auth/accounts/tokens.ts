import type { Ctx } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import type { Executor } from '../../../kit/postgres/db.ts'
import { fingerprint, randomSecret } from '../../../kit/vault.ts'
import { dropTokens, dropUserTokens, findToken, insertToken, useToken } from './sql.ts'

/** What a mailed link proves. */
export type TokenPurpose = 'VERIFY_EMAIL' | 'RESET_PASSWORD'

const hourMs = 3_600_000

/** How long a link in a mail holds, in hours. */
export const tokenHours: Record<TokenPurpose, number> = { VERIFY_EMAIL: 24, RESET_PASSWORD: 1 }

/** A fresh token of 256 random bits; only its hash is kept. */
export async function makeToken({ clock }: Pick<Ctx, 'clock'>, on: Executor, userId: string, purpose: TokenPurpose): Promise<string> {
  const token = randomSecret()
  const now = clock.now()
  await on.run(insertToken, [fingerprint(token), userId, purpose, now, new Date(now.getTime() + tokenHours[purpose] * hourMs)])
  return token
}

/** Uses a token up: of two uses at the same moment one fails. Fails with BAD_REQUEST when it is unknown, used or over. */
export async function takeToken({ clock }: Pick<Ctx, 'clock'>, on: Executor, token: string, purpose: TokenPurpose): Promise<string> {
  const [used] = await on.run(useToken, [fingerprint(token), purpose, clock.now()])
  if (!used) throw staleLink()
  return used.userId
}

/** Passes while a token may still be used, which it stays. Fails with BAD_REQUEST. */
export async function checkToken({ db, clock }: Pick<Ctx, 'db' | 'clock'>, token: string, purpose: TokenPurpose): Promise<void> {
  const [there] = await db.run(findToken, [fingerprint(token), purpose, clock.now()])
  if (!there) throw staleLink()
}

/** Takes back every token of a user. */
export async function dropTokensOf(on: Executor, userId: string): Promise<void> {
  await on.run(dropUserTokens, [userId])
}

/** Forgets tokens that are over. */
export async function forgetTokens({ db, clock }: Pick<Ctx, 'db' | 'clock'>): Promise<void> {
  await db.run(dropTokens, [clock.now()])
}

function staleLink(): Failure {
  return new Failure('BAD_REQUEST', 'This link is invalid, was used already, or has expired.', { suggestion: 'Ask for a new one.' })
}
