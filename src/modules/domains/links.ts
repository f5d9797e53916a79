import { domainOf } from '../../kit/address.ts'
import type { World } from '../../kit/world.ts'

/** The host of a sender domain that leads tracked links and recipients' pages to this installation. */
export function linkHostOf(domain: string): string {
  return `links.${domain}`
}

/** A sender, as far as the address of its links depends on it. */
export interface LinkSender {
  /** The address emails are sent from. */
  address: string
  /** Whether the last check has found that the link host of its domain leads here. */
  hasOwnLinks: boolean
}

/**
 * Where tracked links and recipients' pages of a sender are: on its own domain, where the operator has a host for that
 * (TRACKING_HOST) and the domain points to it, otherwise below PUBLIC_URL. Without a trailing slash.
 */
export function linksUrlOf({ config, publicUrl }: Pick<World, 'config' | 'publicUrl'>, { address, hasOwnLinks }: LinkSender): string {
  if (!hasOwnLinks || config.TRACKING_HOST === undefined) return publicUrl
  return `https://${linkHostOf(domainOf(address))}`
}
