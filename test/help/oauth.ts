import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll } from 'vitest'

/** The person who signs in at the provider, and how the provider behaves. */
export interface Visitor {
  id: number
  /** At GitHub. */
  emails: { email: string; primary: boolean; verified: boolean }[]
  /** Claims of Google's ID token, over the default ones. */
  claims: Record<string, unknown>
  /** The person denies access. */
  denies?: boolean
  /** Signs the ID token with a key that is not published. */
  foreignKey?: boolean
  /** Pads answers by this many bytes. */
  padding?: number
  /** Characters at the end of an access token. */
  tokenEnd?: string
  /** Answers every call with this status. */
  status?: number
}

/** A local server that stands in for GitHub and Google: codes are valid once, for one client and one verifier. */
export interface FakeOauthProviders {
  url: string
  env: Record<string, string>
  visitor: Visitor
}

interface Grant {
  challenge: string
  redirectUri: string
  nonce: string | null
}

const client = { id: 'our client', secret: 'our secret & more' }

/** Starts the local stand-in for both providers, closed after the file's tests. */
export async function fakeOauthProviders(): Promise<FakeOauthProviders> {
  const fake = { url: '', env: {}, visitor: { id: 1, emails: [], claims: {} } } as FakeOauthProviders
  const [own, foreign] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, Grant>()
  const tokens = new Set<string>()
  const idToken = ({ nonce }: Grant): Promise<string> => {
    const seconds = Math.floor(Date.now() / 1000)
    const defaults = { iss: fake.url, aud: client.id, sub: String(fake.visitor.id), nonce, iat: seconds, exp: seconds + 3600 }
    const { privateKey } = fake.visitor.foreignKey ? foreign : own
    return new SignJWT({ ...defaults, ...fake.visitor.claims }).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey)
  }
  const redeem = async (form: URLSearchParams): Promise<object | null> => {
    const code = form.get('code') ?? ''
    const grant = codes.get(code)
    codes.delete(code)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const clientMatches = form.get('client_id') === client.id && form.get('client_secret') === client.secret
    if (!grant || !clientMatches || grant.challenge !== challenge || grant.redirectUri !== form.get('redirect_uri')) return null
    const access_token = randomBytes(8).toString('hex') + (fake.visitor.tokenEnd ?? '')
    tokens.add(access_token)
    return { access_token, token_type: 'bearer', ...(grant.nonce !== null && { id_token: await idToken(grant) }) }
  }
  const paths: Record<string, (request: IncomingMessage, url: URL) => object | null | Promise<object | null>> = {
    '/.well-known/openid-configuration': () => ({
      issuer: fake.url,
      authorization_endpoint: `${fake.url}/authorize`,
      token_endpoint: `${fake.url}/token`,
      jwks_uri: `${fake.url}/jwks`,
    }),
    '/jwks': () => ({ keys: [jwk] }),
    '/token': async (request) => redeem(new URLSearchParams(await text(request))),
    '/login/oauth/access_token': async (request) =>
      (await redeem(new URLSearchParams(await text(request)))) ?? { error: 'bad_verification_code' },
    '/api/user': ({ headers }) => (tokens.has(String(headers.authorization).slice(7)) ? { id: fake.visitor.id, login: 'ada' } : null),
    '/api/user/emails': ({ headers }) => (tokens.has(String(headers.authorization).slice(7)) ? fake.visitor.emails : null),
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', fake.url)
    if (/authorize$/.test(url.pathname)) authorize(fake, codes, url, response)
    else void answer(fake, response, paths[url.pathname]?.(request, url) ?? null)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => server.close())
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  fake.env = settings(fake.url)
  return fake
}

function settings(url: string): Record<string, string> {
  return {
    GITHUB_OAUTH_CLIENT: client.id,
    GITHUB_OAUTH_SECRET: client.secret,
    GITHUB_URL: url,
    GITHUB_API_URL: `${url}/api`,
    GOOGLE_OAUTH_CLIENT: client.id,
    GOOGLE_OAUTH_SECRET: client.secret,
    GOOGLE_ISSUER: url,
  }
}

// Redirects the visitor back at once, as a provider does for a person who is signed in there.
function authorize({ visitor }: FakeOauthProviders, codes: Map<string, Grant>, { searchParams }: URL, response: ServerResponse): void {
  const back = new URL(searchParams.get('redirect_uri') ?? '')
  const code = randomBytes(8).toString('hex')
  back.searchParams.set('state', searchParams.get('state') ?? '')
  if (visitor.denies) back.searchParams.set('error', 'access_denied')
  else back.searchParams.set('code', code)
  const isValid = searchParams.get('client_id') === client.id && searchParams.get('code_challenge_method') === 'S256'
  const [challenge = '', nonce] = [searchParams.get('code_challenge') ?? undefined, searchParams.get('nonce')]
  codes.set(code, { challenge, redirectUri: searchParams.get('redirect_uri') ?? '', nonce })
  response.writeHead(isValid ? 302 : 400, { location: back.href }).end()
}

async function answer(
  { visitor }: FakeOauthProviders,
  response: ServerResponse,
  result: object | null | Promise<object | null>,
): Promise<void> {
  const body = await result
  const status = visitor.status ?? (body === null ? 400 : 200)
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body ?? { error: 'invalid_grant' }) + ' '.repeat(visitor.padding ?? 0))
}
