import { Failure } from '../../../kit/errors.ts'
import type { World } from '../../../kit/world.ts'

/** The headers that say where a request comes from and where it goes. */
export interface Origin {
  origin?: string | undefined
  /** Sec-Fetch-Site. */
  fetchSite?: string | undefined
  host?: string | undefined
}

/** Whether pages of an origin may use the session cookie: those of the host that is called, of PUBLIC_URL and of DASHBOARD_ORIGINS. */
export function isOwnOrigin({ config, publicUrl }: Pick<World, 'config' | 'publicUrl'>, origin: string, host: string | undefined): boolean {
  if (origin === new URL(publicUrl).origin || config.DASHBOARD_ORIGINS.includes(origin)) return true
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host
}

/**
 * Protects against cross-site request forgery: fails with FORBIDDEN for a foreign Origin header or, without that header, for
 * a foreign Sec-Fetch-Site. Programs that send neither header pass.
 */
export function requireOwnOrigin(world: Pick<World, 'config' | 'publicUrl'>, { origin, fetchSite, host }: Origin): void {
  const own =
    origin === undefined ? fetchSite === undefined || fetchSite === 'same-origin' || fetchSite === 'none' : isOwnOrigin(world, origin, host)
  if (own) return
  throw new Failure('FORBIDDEN', 'This request was sent by a page of another site.', {
    suggestion: 'Send it from the dashboard’s own origin, or add the origin to DASHBOARD_ORIGINS.',
  })
}
