import { domainToASCII } from 'node:url'

const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/**
 * The form a domain name is compared and stored in: trimmed, lower-case, international names in punycode (RFC 5891).
 * Null when it is no name a mail can come from: 3 to 253 characters, at least two labels of 1 to 63 letters, digits and
 * inner hyphens (RFC 1123, 2.1), no trailing dot, no address of a machine.
 */
export function domainName(text: string): string | null {
  const trimmed = text.trim().toLowerCase()
  // domainToASCII would also take a port, a path or percent-encoding: only letters of any script, digits, . and - may stand here.
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(trimmed)) return null
  const name = domainToASCII(trimmed)
  const labels = name.split('.')
  const fits = name.length >= 3 && name.length <= 253 && labels.length >= 2 && labels.every((one) => label.test(one))
  // Its last label tells an IPv4 address; one of IPv6 has colons.
  if (!fits || /^\d+$/.test(labels.at(-1) ?? '')) return null
  return name
}

/** Whether a name can never be in public DNS, so that nobody needs to prove it: under .test or .localhost (RFC 2606, RFC 6761). */
export function isReservedName(name: string): boolean {
  return /\.(test|localhost)$/.test(name)
}
