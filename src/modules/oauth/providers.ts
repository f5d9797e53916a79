import { perWorld, type World } from '../../kit/world.ts'
import type { Client, Provider } from './provider.ts'

/**
 * The providers this installation has settings for, by the name in their path. What they need is loaded when somebody
 * first signs in with one, because few installations have any.
 */
export const providersOf = perWorld((world: World): ReadonlyMap<string, () => Promise<Provider>> => {
  const { config, clock } = world
  const made = new Map<string, () => Promise<Provider>>()
  const github = clientOf(world, 'github', 'GitHub', config.GITHUB_OAUTH_CLIENT, config.GITHUB_OAUTH_SECRET)
  const githubAt = { url: config.GITHUB_URL, apiUrl: config.GITHUB_API_URL }
  if (github)
    made.set(
      'github',
      once(async () => (await import('./github.ts')).githubProvider(github, githubAt)),
    )
  const google = clientOf(world, 'google', 'Google', config.GOOGLE_OAUTH_CLIENT, config.GOOGLE_OAUTH_SECRET)
  const googleAt = { issuer: config.GOOGLE_ISSUER, clock }
  if (google)
    made.set(
      'google',
      once(async () => (await import('./google.ts')).googleProvider(google, googleAt)),
    )
  return made
})

function once(open: () => Promise<Provider>): () => Promise<Provider> {
  let opened: Promise<Provider> | undefined
  return () => {
    opened ??= open()
    return opened
  }
}

function clientOf(world: World, name: string, title: string, id: string | undefined, secret: string | undefined): Client | null {
  if (id === undefined || secret === undefined) return null
  return { title, id, secret, redirectUri: `${world.publicUrl}/oauth/${name}/callback`, log: world.log }
}
