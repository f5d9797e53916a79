import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'

const generate = promisify(generateKeyPair)

/** Generates an RSA-2048 key (RFC 8301, 3.2) off the main thread: the private key as PEM, the public key as in the DNS record. */
export async function newDkimKey(): Promise<{ privatePem: string; publicBase64: string }> {
  const { privateKey, publicKey } = await generate('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  })
  return { privatePem: privateKey, publicBase64: publicKey.toString('base64') }
}

/** The selector of a domain's key. It is unique per domain and project, so that several projects can sign for one name (RFC 6376, 3.1). */
export function dkimSelector(domainId: string): string {
  return `pw${domainId.slice(-12)}`
}
