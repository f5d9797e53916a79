import { CodeChallengeMethod, OAuth2Client } from 'arctic'
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose'
import { z } from 'zod'
import { createCache } from '../../kit/cache.ts'
import type { Clock } from '../../kit/clock.ts'
import { exchangeCode, fetchFrom, type OauthClient, type Provider, readFrom, rejectedSignIn } from './provider.ts'

const endpoint = z.url({ protocol: /^https?$/ })
const Discovery = z.object({ issuer: z.string(), authorization_endpoint: endpoint, token_endpoint: endpoint, jwks_uri: endpoint })
const Claims = z.object({
  sub: z.string().min(1).max(255),
  aud: z.union([z.string(), z.array(z.string()).length(1)]),
  azp: z.string().optional(),
  nonce: z.string(),
  email: z.string().optional(),
  email_verified: z.union([z.boolean(), z.string()]).optional(),
})

const hourMs = 3_600_000
const toleranceSeconds = 60

/**
 * Google, or another OpenID provider. Endpoints and keys are found by discovery (OpenID Connect Discovery 1.0) and cached for
 * an hour. The user is identified by the ID token, whose signature, issuer, audience, expiry and nonce are verified (Core,
 * 3.1.3.7).
 */
export function googleProvider(client: OauthClient, { issuer, clock }: { issuer: string; clock: Clock }): Provider {
  const documents = discovery(client, issuer, clock)
  const discover = () => documents.find(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
  return {
    title: client.title,
    async addressOf({ state, verifier, nonce }) {
      const { authorization_endpoint: address } = await discover()
      const oauth = new OAuth2Client(client.id, client.secret, client.redirectUri)
      const url = oauth.createAuthorizationURLWithPKCE(address, state, CodeChallengeMethod.S256, verifier, ['openid', 'email'])
      url.searchParams.set('nonce', nonce)
      return url
    },
    async identify(code, { verifier, nonce }) {
      const { token_endpoint, keys } = await discover()
      const { id_token } = await exchangeCode(client, token_endpoint, code, verifier)
      const claims = Claims.safeParse(await verifiedClaims(client, { token: String(id_token), keys, issuer, clock })).data
      // No other audience is trusted, and no other party that the token was issued for.
      if (claims?.nonce !== nonce || (claims.azp ?? client.id) !== client.id) throw rejectedSignIn(client)
      const { sub, email, email_verified } = claims
      return { subject: sub, email: email !== undefined && (email_verified === true || email_verified === 'true') ? email : null }
    },
  }
}

type Keys = ReturnType<typeof createRemoteJWKSet>

function discovery(client: OauthClient, issuer: string, clock: Clock) {
  const base = issuer.replace(/\/$/, '')
  // A document of another issuer must not determine the keys (Discovery, 4.3).
  const ownDiscovery = Discovery.refine(
    (document) => document.issuer.replace(/\/$/, '') === base,
    `must be the document of GOOGLE_ISSUER, ${issuer}`,
  )
  return createCache({
    max: 1,
    ttlMs: hourMs,
    clock,
    load: async (address: string) => {
      const found = await readFrom(client, ownDiscovery, address)
      const keys = createRemoteJWKSet(new URL(found.jwks_uri), { [customFetch]: (url) => fetchFrom(client, url) })
      return { ...found, keys }
    },
  })
}

async function verifiedClaims(
  client: OauthClient,
  { token, keys, issuer, clock }: { token: string; keys: Keys; issuer: string; clock: Clock },
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ['RS256', 'ES256'],
      // Google may leave the scheme out (developers.google.com/identity, Validating an ID token).
      issuer: [issuer, issuer.replace(/\/$/, ''), issuer.replace(/^https:\/\//, '')],
      audience: client.id,
      currentDate: clock.now(),
      clockTolerance: toleranceSeconds,
      requiredClaims: ['sub', 'exp', 'iat'],
    })
    return payload
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error
    client.log.warn({ err: error }, `oauth: an ID token of ${client.title} is not valid`)
    throw rejectedSignIn(client)
  }
}
