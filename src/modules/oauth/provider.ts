import { z } from 'zod'
import { Failure } from '../../kit/errors.ts'
import type { Log } from '../../kit/log.ts'

/** A sign-in under way, stored in the browser between the redirect to a provider and its callback. */
export interface SignInAttempt {
  /** Returned by the provider: proves that this browser started the sign-in. */
  state: string
  /** Proves to the provider that the token is requested by the client that started the sign-in (PKCE, RFC 7636). */
  verifier: string
  /** Returned in the ID token: binds the token to this sign-in (OpenID Connect Core, 3.1.2.1). */
  nonce: string
}

/** What a provider says about a user. */
export interface ProviderProfile {
  /** The id of their account at the provider, which never changes. */
  subject: string
  /** Their primary address if the provider has verified it, else null. */
  email: string | null
}

/** A service that users can sign in with. */
export interface Provider {
  title: string
  /** The address to redirect to for signing in. */
  addressOf(attempt: SignInAttempt): Promise<URL>
  /** The user of a callback's code. Fails with BAD_REQUEST when the provider rejects the code, SERVICE_UNAVAILABLE. */
  identify(code: string, attempt: SignInAttempt): Promise<ProviderProfile>
}

/** This installation as a client of a provider. */
export interface OauthClient {
  title: string
  id: string
  secret: string
  redirectUri: string
  log: Log
}

const timeoutMs = 10_000
const maxBytes = 1024 * 1024

/** Fetches from a provider: within 10 s, at most 1 MB, no redirects. Fails with SERVICE_UNAVAILABLE. */
export async function fetchFrom(
  { title, log }: Pick<OauthClient, 'title' | 'log'>,
  url: string,
  init: RequestInit = {},
): Promise<Response> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    return new Response(await bounded(response), { status: response.status, headers: { 'content-type': 'application/json' } })
  } catch (error) {
    log.warn({ err: error, url: url.split('?')[0] }, `oauth: ${title} could not be reached`)
    throw new Failure('SERVICE_UNAVAILABLE', `${title} cannot be reached at the moment.`, { suggestion: 'Try again in a moment.' })
  }
}

async function bounded({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`The response is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/** Fetches JSON of a given shape from a provider. Fails with SERVICE_UNAVAILABLE for another status than 200 or another shape. */
export async function readFrom<Shape extends z.ZodType>(
  client: Pick<OauthClient, 'title' | 'log'>,
  shape: Shape,
  url: string,
  init?: RequestInit,
): Promise<z.output<Shape>> {
  const response = await fetchFrom(client, url, init)
  const read = shape.safeParse(parse(await response.text()))
  if (response.status === 200 && read.success) return read.data
  throw unexpectedAnswer(client, { url, status: response.status, err: read.error })
}

function unexpectedAnswer(
  { title, log }: Pick<OauthClient, 'title' | 'log'>,
  { url, status, err }: { url: string; status: number; err?: unknown },
): Failure {
  log.warn({ url: url.split('?')[0], status, err }, `oauth: ${title} gave an unexpected response`)
  return new Failure('SERVICE_UNAVAILABLE', `${title} gave an unexpected response.`, { suggestion: 'Try again in a moment.' })
}

// Of an access token the characters of RFC 6749, A.12: any other could not be sent, and the error would have all of it.
const Tokens = z.object({
  access_token: z
    .string()
    .regex(/^[\x20-\x7e]+$/)
    .optional(),
  id_token: z.string().optional(),
  error: z.string().optional(),
})
type Tokens = z.output<typeof Tokens>

/**
 * Exchanges a code for tokens (RFC 6749, 4.1.3; RFC 7636, 4.5). Fails with BAD_REQUEST when the provider rejects the code: it
 * was used, has expired, or was issued to another client; SERVICE_UNAVAILABLE.
 */
export async function exchangeCode(client: OauthClient, tokenUrl: string, code: string, verifier: string): Promise<Tokens> {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirectUri,
    client_id: client.id,
    client_secret: client.secret,
    code_verifier: verifier,
  })
  const response = await fetchFrom(client, tokenUrl, { method: 'POST', body, headers: { Accept: 'application/json', ...userAgent } })
  const { status } = response
  const tokens = Tokens.safeParse(parse(await response.text())).data
  if (!tokens || status >= 500) throw unexpectedAnswer(client, { url: tokenUrl, status })
  if (status === 200 && tokens.access_token !== undefined) return tokens
  client.log.warn({ status, reason: tokens.error }, `oauth: ${client.title} rejected a code`)
  throw rejectedSignIn(client)
}

/** The error for a sign-in that the provider rejects or that does not pass verification. */
export function rejectedSignIn({ title }: Pick<OauthClient, 'title'>): Failure {
  return new Failure(
    'BAD_REQUEST',
    `${title} did not confirm this sign-in: it has been used already, took too long, or was tampered with.`,
    {
      suggestion: 'Try again.',
    },
  )
}

/** The User-Agent header, without which GitHub rejects requests. */
export const userAgent = { 'User-Agent': 'Postwire' }

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
