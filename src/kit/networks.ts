import ipaddr from 'ipaddr.js'
import { recent } from './recent.ts'

/** The family of an IP address in its standard form (not 127.1 or 0x7f000001); null for any other text. */
export function familyOf(text: string): 'ipv4' | 'ipv6' | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return 'ipv4'
  return ipaddr.IPv6.isValid(text) ? 'ipv6' : null
}

// As some proxies write them: with a port, or with leading zeros.
const withPort = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([\da-f:.]+)\])(?::\d+)?$/i

function plainAddress(text: string): string {
  const [, ipv4, ipv6] = withPort.exec(text) ?? []
  return ipv4?.split('.').map(Number).join('.') ?? ipv6 ?? text
}

/**
 * The network of an address, for limits per caller: an IPv4 address itself, also when it is mapped into IPv6; of an IPv6
 * address the /64 that one customer has (RFC 6177). Any other text is returned as it is.
 */
export function networkOf(given: string | undefined): string {
  if (given === undefined) return 'unknown'
  return given.length > maxCachedLength ? computeNetwork(given) : networks.getOrMake(given, () => computeNetwork(given))
}

// Every request asks for that of its caller, which takes up to 20 µs.
const maxCachedLength = 64
const networks = recent<string, string>({ max: 10_000 })

function computeNetwork(given: string): string {
  return prefixOf(given, 64)
}

function prefixOf(given: string, bits: number): string {
  const address = plainAddress(given)
  if (familyOf(address) === null) return given
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString().split('%')[0]}/${bits}`)}/${bits}`
}

/**
 * The site of an address, for turns and for choosing among callers who has to give way: like its network, but of an IPv6 address the
 * /48 that a site may have, with 65,536 networks (RFC 6177).
 */
export function siteOf(given: string | undefined): string {
  return siteOfNetwork(networkOf(given))
}

/** How many times as much as one of its networks a site may have of what is limited per network. */
export const siteFactor = 10

/**
 * The site of a network (`networkOf`), or of an owner whose name ends with one after a space, such as "mailbox 2001:db8:1:2::/64":
 * the same name with the /48 of the site. Any other name is returned as it is.
 */
export function siteOfNetwork(name: string): string {
  // Nearly all names are of accounts and projects.
  if (!name.endsWith(ofNetwork)) return name
  const at = name.lastIndexOf(' ') + 1
  if (name.length - at > maxCachedLength) return name
  return sites.getOrMake(name, () => name.slice(0, at) + prefixOf(name.slice(at, -ofNetwork.length), 48))
}

const ofNetwork = '/64'
const sites = recent<string, string>({ max: 10_000 })

// By its number it is public, and yet it is a service of the host on every machine at Azure, which serves the settings of the machine to
// whoever asks from inside ("What is IP address 168.63.129.16?", Microsoft). Those of other clouds are in private or reserved networks.
const hostServices = new Set(['168.63.129.16'])

/**
 * Whether an IP address is one of the public internet: not of this machine or its host, a private or reserved network (RFC 6890), nor one
 * that carries an IPv4 address inside IPv6 other than by mapping, which is judged by that IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (familyOf(address) === null) return false
  const parsed = ipaddr.process(address)
  if (hostServices.has(parsed.toString())) return false
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(ipaddr.IPv6.parse('2000::'), 3))
}

/** Whether an IP address is one of this machine itself (127.0.0.0/8, ::1), also when it is mapped into IPv6. */
export function isLoopback(address: string): boolean {
  return familyOf(address) !== null && ipaddr.process(address).range() === 'loopback'
}
