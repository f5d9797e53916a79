import { hash, verify } from '@node-rs/argon2'
import type { Ctx } from '../../kit/context.ts'
import { invalid } from '../../kit/errors.ts'

// argon2id is the library's default: 19 MiB, 2 passes, 1 lane, as OWASP advises.

/** The argon2id hash (RFC 9106) a password is kept as. */
export async function hashPassword(password: string): Promise<string> {
  return hash(password)
}

// What a password is compared with where there is none: the answer must not come sooner for accounts that do not exist.
const nobodys = hash('nobody has this password')

/** Whether a password is the one of a hash; takes as long where there is no hash, and is false then. */
export async function isPassword(kept: string | null | undefined, password: string): Promise<boolean> {
  const same = await verify(kept ?? (await nobodys), password)
  return Boolean(kept) && same
}

/**
 * Refuses one of the 49,000 most common passwords with VALIDATION_ERROR, where people must prove who they are
 * (`config.verifiedOnly`).
 */
export async function requireUncommon({ config }: Pick<Ctx, 'config'>, field: string, password: string): Promise<void> {
  if (!config.verifiedOnly) return
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  if (dictionary['passwords-common'].includes(password.toLowerCase()))
    throw invalid(field, 'is one of the most common passwords: choose another', 'common_password')
}
