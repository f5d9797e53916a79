import type { Ctx } from '../../kit/context.ts'
import { topic } from '../../kit/notices.ts'
import { hashSecret, randomSecret } from '../../kit/vault.ts'

/** Notices of projects whose keys have changed, or what those keys may do. */
export const keysTopic = topic('keys')

const prefixes = { PUBLIC: 'pk_', SECRET: 'sk_' } as const

/** Which of a project's two keys. */
export type KeyKind = keyof typeof prefixes

/** A key as it is stored: found by its SHA-256 hash, and encrypted with APP_SECRET. */
export interface StoredKey {
  kind: KeyKind
  hash: string
  sealed: string
}

/** A new pair of keys: `pk_` and `sk_`, each followed by 64 hexadecimal characters (256 random bits). */
export function newKeys(vault: Ctx['vault']): StoredKey[] {
  return (['PUBLIC', 'SECRET'] as const).map((kind) => {
    const key = `${prefixes[kind]}${randomSecret()}`
    return { kind, hash: hashSecret(key), sealed: vault.seal('key', key) }
  })
}

/** The decrypted keys, as responses contain them. */
export function openKeys(vault: Ctx['vault'], keys: readonly Pick<StoredKey, 'kind' | 'sealed'>[]): { public: string; secret: string } {
  const clear = Object.fromEntries(keys.map(({ kind, sealed }) => [kind, vault.open('key', sealed)]))
  return { public: clear.PUBLIC ?? '', secret: clear.SECRET ?? '' }
}
