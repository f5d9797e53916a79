import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'
// The standard asks for 24 to 64.
const secretBytes = 32

/** A new secret that signs webhooks: `whsec_` and 32 random bytes in base64 (standardwebhooks.com, "Signature scheme"). */
export function newWebhookSecret(): string {
  return `${prefix}${randomBytes(secretBytes).toString('base64')}`
}

/** What is signed of a webhook. */
export interface SignedWebhook {
  /** The same for every attempt. */
  id: string
  /** When it is sent. */
  at: Date
  /** Exactly as it is sent; '' where there is none. */
  body: string
}

/**
 * The headers that prove who sent a webhook, and when: an HMAC-SHA256 over id, time and body for each secret, so that a receiver who
 * knows one of them can check it (standardwebhooks.com).
 */
export function signatureHeaders({ id, at, body }: SignedWebhook, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
