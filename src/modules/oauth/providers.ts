import { perWorld, type World } from '../../kit/world.ts'
import { githubProvider } from './github.ts'
import { googleProvider } from './google.ts'
import type { Client, Provider } from './provider.ts'

/** The providers this installation has settings for, by the name in their path. */
export const providersOf = perWorld((world: World): ReadonlyMap<string, Provider> => {
  const { config, clock } = world
  const made = new Map<string, Provider>()
  const github = clientOf(world, 'github', 'GitHub', config.GITHUB_OAUTH_CLIENT, config.GITHUB_OAUTH_SECRET)
  if (github) made.set('github', githubProvider(github, { url: config.GITHUB_URL, apiUrl: config.GITHUB_API_URL }))
  const google = clientOf(world, 'google', 'Google', config.GOOGLE_OAUTH_CLIENT, config.GOOGLE_OAUTH_SECRET)
  if (google) made.set('google', googleProvider(google, { issuer: config.GOOGLE_ISSUER, clock }))
  return made
})

function clientOf(world: World, name: string, title: string, id: string | undefined, secret: string | undefined): Client | null {
  if (id === undefined || secret === undefined) return null
  return { title, id, secret, redirectUri: `${world.publicUrl}/oauth/${name}/callback`, log: world.log }
}
