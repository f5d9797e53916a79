import { createCipheriv, createDecipheriv, createHash, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** Encrypts secrets at rest and signs link tokens, with keys derived from APP_SECRET. */
export interface Vault {
  /**
   * Encrypts with AES-256-GCM and a random nonce; the purpose is authenticated, so that a value cannot be moved to another column. The
   * result begins with `sealed:`, by which it is found wherever it must not be.
   */
  seal(purpose: string, plain: string): string
  /** Decrypts a value of seal; throws when it was tampered with or sealed for another purpose. */
  open(purpose: string, sealed: string): string
  /** A token for links: the payload, readable, with an HMAC-SHA256 (16 bytes) over purpose and payload. */
  sign(purpose: string, payload: readonly string[]): string
  /** The payload of a token that was signed for this purpose, or null when it is forged or for another purpose. */
  verify(purpose: string, token: string): string[] | null
  /** An HMAC-SHA256 (16 bytes) over purpose and text, for tokens with a form of their own. */
  tag(purpose: string, text: string): Buffer
  /**
   * Hides a short text in a token, or shows it again: XOR with a keystream of SHA-256 over a key, `nonce` and a counter, as a block
   * cipher in counter mode makes it (NIST SP 800-38A, 6.5). With one nonce only one text may ever be hidden. It does not notice a
   * change, which the signature of a token does. AES of Node takes seven times as long, and each email has such a token.
   */
  mask(purpose: string, nonce: string, text: Buffer): Buffer
  /**
   * A keyed hash (SHA-256) by which a text is recognized, and from which nobody without the secret of the installation can find it. An
   * HMAC takes several times as long; a key of a fixed length before the text cannot be taken for a part of it.
   */
  fingerprint(purpose: string, text: string): string
  /** A key of 32 bytes for a library that signs or encrypts, different for every purpose. */
  key(purpose: string): Uint8Array
}

const mark = 'sealed:'
const blockBytes = 32

/** A vault whose keys are derived from the installation's secret (HKDF-SHA256, RFC 5869). */
export function createVault(secret: string): Vault {
  const derive = (info: string): Buffer => Buffer.from(hkdfSync('sha256', secret, 'postwire', info, 32))
  const sealing = derive('seal')
  const signing = derive('sign')
  const keys = new Map<string, Uint8Array>()
  const mac = hmacSha256(signing)
  const tag = (purpose: string, body: string): Buffer => mac(`${purpose}\n${body}`).subarray(0, 16)
  const key = (purpose: string): Uint8Array => {
    const derived = keys.get(purpose) ?? new Uint8Array(derive(`key ${purpose}`))
    keys.set(purpose, derived)
    return derived
  }
  return {
    tag,
    key,
    fingerprint: (purpose, text) => hash('sha256', Buffer.concat([key(purpose), Buffer.from(text)]), 'base64url'),
    mask(purpose, nonce, text) {
      const masked = Buffer.from(text)
      for (let from = 0; from < masked.length; from += blockBytes) {
        const block = hash('sha256', Buffer.concat([key(purpose), Buffer.from(`${from} ${nonce}`)]), 'buffer')
        for (let at = from; at < Math.min(from + blockBytes, masked.length); at++) masked[at] = (masked[at] ?? 0) ^ (block[at - from] ?? 0)
      }
      return masked
    },
    seal(purpose, plain) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce).setAAD(Buffer.from(purpose))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return mark + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
    },
    open(purpose, sealed) {
      // The mark is missing where a value was sealed before there was one.
      const bytes = Buffer.from(sealed.startsWith(mark) ? sealed.slice(mark.length) : sealed, 'base64')
      const decipher = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(0, 12)).setAAD(Buffer.from(purpose))
      decipher.setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    },
    sign(purpose, payload) {
      const body = Buffer.from(JSON.stringify(payload)).toString('base64url')
      return `${body}.${tag(purpose, body).toString('base64url')}`
    },
    verify(purpose, token) {
      const [body, signature, more] = token.split('.')
      if (!body || !signature || more !== undefined) return null
      const given = Buffer.from(signature, 'base64url')
      const expected = tag(purpose, body)
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
      return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as string[]
    },
  }
}

// HMAC-SHA256 (RFC 2104) for a key of at most 64 bytes. An email has two signed links at least: createHmac takes 17 µs for each,
// two hashes in one call each 3.
function hmacSha256(key: Buffer): (text: string) => Buffer {
  const padded = (byte: number): Buffer => Buffer.from(Uint8Array.from({ length: 64 }, (_, at) => (key[at] ?? 0) ^ byte))
  const inner = padded(0x36)
  const outer = padded(0x5c)
  const sha256 = (bytes: Buffer): Buffer => hash('sha256', bytes, 'buffer')
  return (text) => sha256(Buffer.concat([outer, sha256(Buffer.concat([inner, Buffer.from(text)]))]))
}

/** The SHA-256 of a secret in hex, to look it up by, so that the secret itself need not be stored. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** 32 random bytes in hex. */
export function randomSecret(): string {
  return randomBytes(32).toString('hex')
}
