import { perWorld, type World } from '../../kit/world.ts'
import type { OauthClient, Provider } from './provider.ts'

/**
 * The providers that are configured, by the name in their path. Their libraries are loaded with the first sign-in, because
 * few installations use any.
 */
export const providersOf = perWorld((world: World): ReadonlyMap<string, () => Promise<Provider>> => {
  const { config, clock } = world
  const providers = new Map<string, () => Promise<Provider>>()
  const github = clientOf(world, { name: 'github', title: 'GitHub', id: config.GITHUB_OAUTH_CLIENT, secret: config.GITHUB_OAUTH_SECRET })
  const githubAt = { url: config.GITHUB_URL, apiUrl: config.GITHUB_API_URL }
  if (github)
    providers.set(
      'github',
      lazy(async () => (await import('./github.ts')).githubProvider(github, githubAt)),
    )
  const google = clientOf(world, { name: 'google', title: 'Google', id: config.GOOGLE_OAUTH_CLIENT, secret: config.GOOGLE_OAUTH_SECRET })
  const googleAt = { issuer: config.GOOGLE_ISSUER, clock }
  if (google)
    providers.set(
      'google',
      lazy(async () => (await import('./google.ts')).googleProvider(google, googleAt)),
    )
  return providers
})

function lazy(open: () => Promise<Provider>): () => Promise<Provider> {
  let opened: Promise<Provider> | undefined
  return () => {
    opened ??= open()
    return opened
  }
}

interface ClientSettings {
  name: string
  title: string
  id: string | undefined
  secret: string | undefined
}

function clientOf(world: World, { name, title, id, secret }: ClientSettings): OauthClient | null {
  if (id === undefined || secret === undefined) return null
  return { title, id, secret, redirectUri: `${world.publicUrl}/oauth/${name}/callback`, log: world.log }
}
