import { existsSync } from 'node:fs'
import type { World } from './world.ts'

/** The folder that `npm run generate` builds the dashboard into; it is missing where development packages are. */
export const dashboardFolder = new URL('../generated/dashboard/', import.meta.url)

let built: boolean | undefined

/** Whether this installation has a dashboard at /app/: it is built, and the setting DASHBOARD does not turn it off. */
export function hasDashboard({ config }: Pick<World, 'config'>): boolean {
  built ??= existsSync(new URL('index.html', dashboardFolder))
  return config.DASHBOARD && built
}

/** The address people use this installation at in a browser: the first of DASHBOARD_ORIGINS, or its public address. */
export function dashboardUrl({ config, publicUrl }: Pick<World, 'config' | 'publicUrl'>): string {
  return config.DASHBOARD_ORIGINS[0] ?? publicUrl
}
