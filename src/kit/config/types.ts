import { z } from 'zod'
import { familyOf } from '../networks.ts'
import { parseUrl } from '../urls.ts'

/** A setting that is on or off: true, false, 1, 0, yes, no, on or off. */
export const flag = z.stringbool()

/** A port to listen on; 0 takes a free one. */
export const port = z.coerce.number().int().min(0).max(65535)

/** A whole number that is not negative. */
export const count = z.coerce.number().int().min(0)

/** The full name of a host, in lower case. */
export const hostName = z
  .string()
  .toLowerCase()
  .regex(/^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/, 'must be the full name of a host such as mail.example.com')

/** The parts of a comma-separated list, without empty ones. */
export function commaList(list: string): string[] {
  return list
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
}

/** Origins such as https://app.example.com, separated by commas; a slash at the end is left out. */
export const origins = z
  .string()
  .default('')
  .transform(commaList)
  .refine((list) => list.every(isOrigin), 'must be origins such as https://app.example.com, separated by commas')
  .transform((list) => list.map((one) => new URL(one).origin))

function isOrigin(text: string): boolean {
  const url = parseUrl(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
}

/** Names of hosts, in lower case, separated by commas. */
export const hosts = z
  .string()
  .toLowerCase()
  .default('')
  .transform(commaList)
  .refine(
    (list) => list.every((one) => /^[^\s:/@]+$/.test(one)),
    'must be names such as staging.example.com, without a scheme or port, separated by commas',
  )

/** Whether a text is the address of a name server, with or without a port. */
export function isNameServer(server: string): boolean {
  if (familyOf(server) !== null) return true
  const [, v6, v4, port] = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+))(?::(\d{1,5}))?$/i.exec(server) ?? []
  return (
    (familyOf(v6 ?? '') === 'ipv6' || familyOf(v4 ?? '') === 'ipv4') && (port === undefined || (Number(port) > 0 && Number(port) < 65_536))
  )
}
