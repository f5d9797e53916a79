import { CodeChallengeMethod, OAuth2Client } from 'arctic'
import { z } from 'zod'
import { exchangeCode, type OauthClient, type Provider, readFrom, userAgent } from './provider.ts'

const Account = z.object({ id: z.int() })
const Addresses = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/** GitHub, or a GitHub Enterprise server at other addresses (docs.github.com, Authorizing OAuth apps). */
export function githubProvider(client: OauthClient, { url, apiUrl }: { url: string; apiUrl: string }): Provider {
  const at = (base: string, path: string): string => base.replace(/\/$/, '') + path
  return {
    title: client.title,
    async addressOf({ state, verifier }) {
      const address = at(url, '/login/oauth/authorize')
      const oauth = new OAuth2Client(client.id, client.secret, client.redirectUri)
      return oauth.createAuthorizationURLWithPKCE(address, state, CodeChallengeMethod.S256, verifier, ['user:email'])
    },
    async identify(code, { verifier }) {
      const { access_token } = await exchangeCode(client, at(url, '/login/oauth/access_token'), code, verifier)
      const headers = { Authorization: `Bearer ${access_token}`, Accept: 'application/vnd.github+json', ...userAgent }
      const { id } = await readFrom(client, Account, at(apiUrl, '/user'), { headers })
      const addresses = await readFrom(client, Addresses, at(apiUrl, '/user/emails'), { headers })
      // Only the primary address is used: others may be outdated, such as those of former employers.
      const email = addresses.find(({ primary, verified }) => primary && verified)?.email ?? null
      return { subject: String(id), email }
    },
  }
}
