import type { World } from './world.ts'

/** The address people use this installation at in a browser: the first of DASHBOARD_ORIGINS, or its public address. */
export function dashboardUrl({ config, publicUrl }: Pick<World, 'config' | 'publicUrl'>): string {
  return config.DASHBOARD_ORIGINS[0] ?? publicUrl
}
