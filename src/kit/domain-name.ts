import { domainToASCII, domainToUnicode } from 'node:url'

const maxName = 253
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

// domainToASCII would also accept a port, a path or percent-encoding, and drops characters that nobody sees: of those only the joiners
// pass, which some scripts need and which it checks.
const convertible = /^(?:[a-z0-9.-]|\u200c|\u200d|(?![\p{C}\p{Z}])\P{ASCII})+$/u

// What IDNA allows in a label (RFC 5892, with the places where it allows the middle dots, the Greek keraia and the Hebrew marks). Other
// signs could be taken for a dot, a slash or nothing.
const international =
  /^(?!xn--)(?:[\p{L}\p{M}\p{N}-]|\u200c|\u200d|[\u06fd\u06fe\u0f0b]|(?<=l)\u00b7(?=l)|\u0375(?=\p{Script=Greek})|(?<=\p{Script=Hebrew})[\u05f3\u05f4]|\u30fb)+$/u
const katakanaDot = /\u30fb/
const besideKatakanaDot = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u

/**
 * The form in which a domain name is compared and stored: trimmed, lower-case, international names in punycode (RFC 5891).
 * Null for a name that email cannot come from. A valid name has 3 to 253 characters and at least two labels of 1 to 63
 * letters, digits and inner hyphens (RFC 1123, 2.1), has no trailing dot and is not an IP address. An international name is valid in
 * Unicode and in punycode (UTS 46), or in neither: other signs than IDNA allows and punycode that stands for no name are refused.
 */
export function domainName(text: string): string | null {
  const trimmed = lowerCase(text.trim())
  // Before it is computed, which takes the square of its length.
  if (trimmed.length > maxName || !convertible.test(trimmed)) return null
  const name = domainToASCII(trimmed)
  const labels = name.split('.')
  const fits = name.length >= 3 && name.length <= maxName && labels.length >= 2 && labels.every((one) => label.test(one))
  // An IPv4 address has a numeric last label; one of IPv6 has colons, which do not pass above.
  if (!fits || /^\d+$/.test(labels.at(-1) ?? '')) return null
  return labels.some((one) => one.startsWith('xn--')) && !hasBothSpellings(name) ? null : name
}

/** A text in lower case letter by letter, as UTS 46 does it: a sigma at the end of a word is one like any other. */
export function lowerCase(text: string): string {
  return text.replaceAll('Σ', 'σ').toLowerCase()
}

function hasBothSpellings(name: string): boolean {
  const shown = domainToUnicode(name)
  return shown.split('.').every(isInternational) && domainToASCII(shown) === name
}

function isInternational(shown: string): boolean {
  return international.test(shown) && (!katakanaDot.test(shown) || besideKatakanaDot.test(shown))
}

/** Whether a name can never be in public DNS, so that it needs no verification: under .test or .localhost (RFC 2606, RFC 6761). */
export function isReservedDomain(name: string): boolean {
  return /\.(test|localhost)$/.test(name)
}
