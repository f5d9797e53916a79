import { z } from 'zod'
import { Failure } from '../../kit/errors.ts'
import type { Log } from '../../kit/log.ts'

/** What is kept in the browser between leaving for a provider and coming back. */
export interface Attempt {
  /** Comes back with the answer: proves that this browser left. */
  state: string
  /** Proves to the provider that who asks for the token is who started (PKCE, RFC 7636). */
  verifier: string
  /** Comes back inside an ID token: binds it to this attempt (OpenID Connect Core, 3.1.2.1). */
  nonce: string
}

/** Who somebody is at a provider. */
export interface Identity {
  /** Their account there, which never changes. */
  subject: string
  /** Their address, only where the provider says that it was verified. */
  email: string | null
}

/** Another service that knows people. */
export interface Provider {
  title: string
  /** Where people are sent to sign in. */
  addressOf(attempt: Attempt): Promise<URL>
  /** Who has come back with a code. Fails with BAD_REQUEST when the provider does not stand by it, SERVICE_UNAVAILABLE. */
  identify(code: string, attempt: Attempt): Promise<Identity>
}

/** How a provider knows this installation. */
export interface Client {
  title: string
  id: string
  secret: string
  redirectUri: string
  log: Log
}

const patienceMs = 10_000
const mostBytes = 1024 * 1024

/** Fetches from a provider: within 10 s, at most 1 MB, no redirects. Fails with SERVICE_UNAVAILABLE. */
export async function fetchFrom({ title, log }: Pick<Client, 'title' | 'log'>, url: string, init: RequestInit = {}): Promise<Response> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(patienceMs) })
    return new Response(await bounded(response), { status: response.status, headers: { 'content-type': 'application/json' } })
  } catch (error) {
    log.warn({ err: error, url: url.split('?')[0] }, `oauth: ${title} did not answer as it should`)
    throw new Failure('SERVICE_UNAVAILABLE', `${title} cannot be reached at the moment.`, { suggestion: 'Try again in a moment.' })
  }
}

async function bounded({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > mostBytes) throw new Error(`The answer is larger than ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/** What a provider answers with 200, read by its shape; fails with SERVICE_UNAVAILABLE for anything else. */
export async function readFrom<Shape extends z.ZodType>(
  client: Pick<Client, 'title' | 'log'>,
  shape: Shape,
  url: string,
  init?: RequestInit,
): Promise<z.output<Shape>> {
  const response = await fetchFrom(client, url, init)
  const read = shape.safeParse(parse(await response.text()))
  if (response.status === 200 && read.success) return read.data
  throw trouble(client, { url, status: response.status, err: read.error })
}

function trouble({ title, log }: Pick<Client, 'title' | 'log'>, { url, ...what }: { url: string; status: number; err?: unknown }): Failure {
  log.warn({ url: url.split('?')[0], ...what }, `oauth: ${title} did not answer as it should`)
  return new Failure('SERVICE_UNAVAILABLE', `${title} did not answer as it should.`, { suggestion: 'Try again in a moment.' })
}

const Tokens = z.object({ access_token: z.string().optional(), id_token: z.string().optional(), error: z.string().optional() })
type Tokens = z.output<typeof Tokens>

/**
 * The tokens a provider gives for a code (RFC 6749, 4.1.3; RFC 7636, 4.5). Fails with BAD_REQUEST when it refuses: the code
 * was used, is over, or was given to somebody else; SERVICE_UNAVAILABLE.
 */
export async function redeem(client: Client, tokenUrl: string, code: string, verifier: string): Promise<Tokens> {
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
  if (!tokens || status >= 500) throw trouble(client, { url: tokenUrl, status })
  if (status === 200 && tokens.access_token !== undefined) return tokens
  client.log.warn({ status, reason: tokens.error }, `oauth: ${client.title} refused a code`)
  throw refused(client)
}

/** That a provider does not stand by an answer. */
export function refused({ title }: Pick<Client, 'title'>): Failure {
  return new Failure('BAD_REQUEST', `${title} does not stand by this sign-in: it was used already, took too long, or was tampered with.`, {
    suggestion: 'Start again.',
  })
}

/** GitHub refuses calls without it. */
export const userAgent = { 'User-Agent': 'Postwire' }

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
