import { domainToUnicode } from 'node:url'
import { domainName, lowerCase } from './domain-name.ts'

// A dot-atom (RFC 5322, 3.2.3): no quotes, no comments, no dot at either end and no two in a row.
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const maxLocal = 64
const maxAddress = 254
const maxPart = 1_000
const plain = /^[\x21-\x7e]+$/

/**
 * The form in which an email address is compared and stored: trimmed and lower-cased, an international domain in Unicode,
 * whichever way it was spelled (UTS 46). Null for text that is not an address: the local part is a dot-atom of at most 64 ASCII
 * characters, the domain has at least two labels of 1 to 63 characters without a hyphen at either end and 253 characters in all, the
 * whole at most 254 characters in ASCII (RFC 5321, 4.5.3.1) and no white space inside.
 */
export function emailAddress(text: string): string | null {
  const trimmed = text.trim()
  const at = trimmed.lastIndexOf('@')
  const [given, host] = [trimmed.slice(0, at), trimmed.slice(at + 1)]
  // Before it is lower-cased, which turns a few letters of other scripts into ASCII.
  if (at < 1 || !plain.test(given) || /\s/.test(host)) return null
  const local = given.toLowerCase()
  const domain = domainName(host)
  if (local.length > maxLocal || !localPart.test(local) || domain === null) return null
  if (local.length + 1 + domain.length > maxAddress) return null
  return `${local}@${domain.includes('xn--') ? domainToUnicode(domain) : domain}`
}

// A whole label of a domain in ASCII (RFC 5890).
const punycode = /(?<![^.])xn--[a-z0-9-]{1,59}(?![^.])/g

/** A part of an address, as addresses are stored, to look for: lower-cased, with the labels of international domains in Unicode. */
export function partOfAddress(text: string): string {
  // No address has as many: to put as many marks in order takes seconds.
  if (text.length > maxPart) return lowerCase(text)
  const lowered = lowerCase(text).normalize('NFC')
  // What stands before an @ is no domain.
  const from = lowered.lastIndexOf('@') + 1
  return lowered.slice(0, from) + lowered.slice(from).replaceAll(punycode, (label) => domainToUnicode(label) || label)
}

/** What stands after the @ of an address, as it is spelled. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}

/** An address as it is sent: an international domain in ASCII (RFC 5890), so that every mail server accepts it. */
export function asciiAddress(address: string): string {
  if (plain.test(address)) return address
  const at = address.lastIndexOf('@')
  return address.slice(0, at + 1) + (domainName(domainOf(address)) ?? domainOf(address))
}
