import argon2 from '@node-rs/argon2'
import type { Ctx } from '../../kit/context.ts'
import { invalid } from '../../kit/errors.ts'
import { networkOf } from '../../kit/networks.ts'
import { createShare } from '../../kit/share.ts'
import type { Owners } from '../../kit/turns.ts'
import { perWorld } from '../../kit/world.ts'

type Call = Pick<Ctx, 'world' | 'client' | 'left'>

// A hash takes 20 ms of one of the four threads of Node's pool, which also sign sessions, read files and answer Postgres's
// challenges: two threads always stay free for that, and whoever sends many passwords from one network occupies one.
const hashingOf = perWorld(() => createShare({ max: 2, maxPerOwner: 1, busy: 'Too many passwords are being checked at the moment.' }))

interface Turn {
  /** The account whose password it is, of which one is computed at a time as well. Whoever waits occupies no turn of it. */
  account?: string | undefined
  /** Called when the turn has come: what it throws is thrown, and nothing is computed. */
  begin?: (() => Promise<void>) | undefined
}

/**
 * Every hash is computed here, two at a time in this process and one for each client address (IPv6: its /64 network). Fails with
 * SERVICE_UNAVAILABLE after waiting 15 s.
 */
function inTurn<Result>(ctx: Call, compute: () => Promise<Result>, { account, begin }: Turn = {}): Promise<Result> {
  const network = networkOf(ctx.client.address)
  const owners: Owners = account === undefined ? network : [network, `account ${account}`]
  const work = async (): Promise<Result> => {
    await begin?.()
    return compute()
  }
  return hashingOf(ctx.world)(owners, work, { ended: ctx.left?.() })
}

// The library's defaults are what OWASP recommends: argon2id with 19 MiB of memory, 2 iterations and 1 lane of parallelism.

/** The argon2id hash (RFC 9106) under which a password is stored. Fails with SERVICE_UNAVAILABLE when too many are asked for. */
export async function hashPassword(ctx: Call, password: string): Promise<string> {
  return inTurn(ctx, () => argon2.hash(password))
}

// Compared with when an account has no password or does not exist, so that the response takes as long as for one that does.
const placeholderHash = argon2.hash('nobody has this password')

/**
 * Whether a password matches a hash. Without a hash the result is false, and takes the same time. `turn.begin` is called right before
 * the comparison. Fails with what it throws, and with SERVICE_UNAVAILABLE when too many are asked for.
 */
export async function isPassword(
  ctx: Call,
  { passwordHash, password }: { passwordHash: string | null | undefined; password: string },
  turn?: Turn,
): Promise<boolean> {
  const compare = async () => argon2.verify(passwordHash ?? (await placeholderHash), password)
  return (await inTurn(ctx, compare, turn)) && Boolean(passwordHash)
}

/**
 * Refuses the 49,000 most common passwords with VALIDATION_ERROR where users must verify their email address
 * (`config.verifiedOnly`).
 */
export async function requireUncommon({ config }: Pick<Ctx, 'config'>, field: string, password: string): Promise<void> {
  if (!config.verifiedOnly) return
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  if (dictionary['passwords-common'].includes(password.toLowerCase()))
    throw invalid(field, 'is one of the most common passwords: choose another', 'common_password')
}
