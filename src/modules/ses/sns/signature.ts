import { verify, X509Certificate } from 'node:crypto'
import { type Cache, createCache } from '../../../kit/cache.ts'
import { OutboundError } from '../../../kit/outbound.ts'
import { recent } from '../../../kit/recent.ts'
import { createTurns, TurnMissed } from '../../../kit/turns.ts'
import { parseUrl } from '../../../kit/urls.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import type { SnsMessage } from '../shapes.ts'

const host = /^sns\.[a-z]{2}[a-z0-9-]{1,40}\.amazonaws\.(com|com\.cn|eu)$/
const certificatePath = /^\/SimpleNotificationService-[\w.-]{1,100}\.pem$/

/** An address of Amazon SNS itself: https, its host, no port and no user; null for any other. */
export function parseSnsUrl(text: string): URL | null {
  const url = parseUrl(text)
  if (url?.protocol !== 'https:' || url.port || url.username || url.password || !host.test(url.hostname)) return null
  return url
}

/**
 * Whether Amazon has signed a message (version 1: RSA with SHA-1, version 2: RSA with SHA-256), by the certificate that it names,
 * which only Amazon can have put there. `sender` is the network that sent it. Throws OutboundError when the certificate cannot be
 * fetched at present.
 */
export async function isSignedByAmazon(world: World, message: SnsMessage, sender: string): Promise<boolean> {
  const certificate = await certificateOf(world, message.SigningCertURL, sender)
  const now = world.clock.now()
  if (!certificate || certificate.validFromDate > now || certificate.validToDate < now) return false
  const digest = message.SignatureVersion === '1' ? 'sha1' : 'sha256'
  return verify(digest, Buffer.from(signedText(message)), certificate.publicKey, Buffer.from(message.Signature, 'base64'))
}

const confirmed = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'] as const
const signedFields = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: confirmed,
  UnsubscribeConfirmation: confirmed,
} as const

/** The text that a message is signed over: its fields by name, each name and each value on a line of its own. */
export function signedText(message: Omit<SnsMessage, 'Signature' | 'SigningCertURL' | 'SignatureVersion'>): string {
  return signedFields[message.Type]
    .flatMap((name) => (message[name] === undefined || message[name] === null ? [] : [`${name}\n${message[name]}\n`]))
    .join('')
}

async function certificateOf(world: World, address: string, sender: string): Promise<X509Certificate | null> {
  const { SNS_CERTIFICATE: given, SNS_CERTIFICATE_URL: givenUrl } = world.config
  if (given && address === givenUrl) return parseCertificate(given)
  const url = parseSnsUrl(address)
  if (!url || !certificatePath.test(url.pathname) || url.search || url.hash) return null
  return certificatesOf(world)(url.href, sender)
}

const hourMs = 3_600_000
const maxCertificateBytes = 20_000
const certificateMs = 2_000
const maxWaitMs = 5_000

// Anyone may call the receiver with another address of Amazon each time: few are fetched at once, and of one sender only one, so that
// the messages of Amazon itself find a turn. What is no certificate is remembered as well, where it replaces none that is one.
const certificatesOf = perWorld((world) => {
  const turns = createTurns({ max: 4, maxPerOwner: 1 })
  const useless = recent<string, true>({ max: 1_000, ttlMs: hourMs, clock: world.clock })
  const cache: Cache<Wanted, X509Certificate | null> = createCache({
    max: 50,
    ttlMs: hourMs,
    clock: world.clock,
    nameOf: ({ url }) => url,
    // Whoever asks for a certificate of Amazon must not wait in the turn of another sender.
    joins: false,
    load: (wanted) => turns.run(wanted.sender, async () => cache.get(wanted) ?? fetchCertificate(world, wanted.url), { maxMs: maxWaitMs }),
  })
  return async (url: string, sender: string): Promise<X509Certificate | null> => {
    if (useless.get(url)) return null
    try {
      const certificate = await cache.find({ url, sender })
      if (!certificate) useless.set(url, true)
      return certificate
    } catch (error) {
      if (error instanceof TurnMissed) throw new OutboundError('unavailable', 'Too many certificates are being fetched.')
      throw error
    }
  }
})

interface Wanted {
  url: string
  sender: string
}

async function fetchCertificate({ outbound }: World, url: string): Promise<X509Certificate | null> {
  try {
    return parseCertificate((await outbound.get(url, { maxBytes: maxCertificateBytes, timeoutMs: certificateMs })).toString())
  } catch (error) {
    if (error instanceof OutboundError && error.kind !== 'unavailable') return null
    throw error
  }
}

function parseCertificate(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem)
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('ERR_OSSL')) return null
    throw error
  }
}
