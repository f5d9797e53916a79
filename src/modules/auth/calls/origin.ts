import { Failure } from '../../../kit/errors.ts'
import type { World } from '../../../kit/world.ts'

/** Where a request says it comes from, and goes to. */
export interface Origin {
  origin?: string | undefined
  /** Sec-Fetch-Site. */
  fetchSite?: string | undefined
  host?: string | undefined
}

/** Whether pages of an origin may act with the session cookie: the host they were loaded from, PUBLIC_URL and DASHBOARD_ORIGINS. */
export function isOwnOrigin({ config, publicUrl }: Pick<World, 'config' | 'publicUrl'>, origin: string, host: string | undefined): boolean {
  if (origin === new URL(publicUrl).origin || config.DASHBOARD_ORIGINS.includes(origin)) return true
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host
}

/**
 * Refuses with FORBIDDEN what a foreign page makes a browser send (CSRF): a foreign Origin, or, where there is none, a
 * foreign Sec-Fetch-Site. Programs that send neither pass.
 */
export function requireOwnOrigin(world: Pick<World, 'config' | 'publicUrl'>, { origin, fetchSite, host }: Origin): void {
  const own =
    origin === undefined ? fetchSite === undefined || fetchSite === 'same-origin' || fetchSite === 'none' : isOwnOrigin(world, origin, host)
  if (own) return
  throw new Failure('FORBIDDEN', 'This request comes from a page of another site.', {
    suggestion: 'Call from the dashboard’s own origin, or list the origin in DASHBOARD_ORIGINS.',
  })
}
