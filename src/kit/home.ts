import type { World } from './world.ts'

/** Where people work with this installation in a browser: the first of DASHBOARD_ORIGINS, or its public address. */
export function homeOf({ config, publicUrl }: Pick<World, 'config' | 'publicUrl'>): string {
  return config.DASHBOARD_ORIGINS[0] ?? publicUrl
}
