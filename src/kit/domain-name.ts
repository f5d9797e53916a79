import { domainToASCII } from 'node:url'

const maxName = 253
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/**
 * The form in which a domain name is compared and stored: trimmed, lower-case, international names in punycode (RFC 5891).
 * Null for a name that email cannot come from. A valid name has 3 to 253 characters and at least two labels of 1 to 63
 * letters, digits and inner hyphens (RFC 1123, 2.1), has no trailing dot and is not an IP address.
 */
export function domainName(text: string): string | null {
  const trimmed = text.trim().toLowerCase()
  // Before it is computed, which takes the square of its length.
  if (trimmed.length > maxName) return null
  // domainToASCII would also accept a port, a path or percent-encoding, so only letters of any script, digits, . and - pass.
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(trimmed)) return null
  const name = domainToASCII(trimmed)
  const labels = name.split('.')
  const fits = name.length >= 3 && name.length <= maxName && labels.length >= 2 && labels.every((one) => label.test(one))
  // An IPv4 address has a numeric last label; one of IPv6 has colons, which do not pass above.
  if (!fits || /^\d+$/.test(labels.at(-1) ?? '')) return null
  return name
}

/** Whether a name can never be in public DNS, so that it needs no verification: under .test or .localhost (RFC 2606, RFC 6761). */
export function isReservedDomain(name: string): boolean {
  return /\.(test|localhost)$/.test(name)
}
