import { hash, verify } from '@node-rs/argon2'
import type { Ctx } from '../../kit/context.ts'
import { invalid } from '../../kit/errors.ts'

// The library's defaults are what OWASP recommends: argon2id with 19 MiB of memory, 2 iterations and 1 lane of parallelism.

/** The argon2id hash (RFC 9106) under which a password is stored. */
export async function hashPassword(password: string): Promise<string> {
  return hash(password)
}

// Compared with when an account has no password or does not exist, so that the response takes as long as for one that does.
const placeholderHash = hash('nobody has this password')

/** Whether a password matches a hash. Without a hash the result is false, and takes the same time. */
export async function isPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const matches = await verify(passwordHash ?? (await placeholderHash), password)
  return Boolean(passwordHash) && matches
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
