import { Resolver } from 'node:dns/promises'
import { within } from './deadline.ts'

/** Where email for a name goes: the host, empty for a null MX (RFC 7505), and its priority (the lowest is tried first). */
export interface MailExchange {
  exchange: string
  priority: number
}

interface Records {
  TXT: string
  CNAME: string
  MX: MailExchange
  NS: string
  SOA: string
  A: string
  AAAA: string
}

/** A type of record that can be looked up. */
export type RecordType = keyof Records

/**
 * What DNS says about a name: its records, definitely none (and whether the name has other records: NODATA, not NXDOMAIN),
 * or that the look-up failed, with the reason.
 */
export type DnsAnswer<Kind> =
  | { kind: 'found'; records: Kind[] }
  | { kind: 'none'; nameExists: boolean }
  | { kind: 'unknown'; reason: string }

/** Public DNS. A look-up never throws and ends within 4 s. */
export interface Dns {
  /**
   * The records of a type at a name. Strings of a TXT record are joined (RFC 7208, 3.3), names are returned in lower
   * case without a trailing dot. A CNAME is followed by the resolver, and here where the resolver did not.
   */
  lookUp<Type extends RecordType>(type: Type, name: string): Promise<DnsAnswer<Records[Type]>>
}

const tryMs = 1_900
const tries = 2
const deadlineMs = 4_000
const earlyMs = 3_000
const maxHops = 8

/** A resolver asking `servers` (ip or ip:port), or those of the system when there are none. */
export function createDns(servers: readonly string[]): Dns {
  const open = (): Resolver => {
    // If the timeout doubled, the second try would end after the deadline.
    const resolver = new Resolver({ timeout: tryMs, maxTimeout: tryMs, tries })
    if (servers.length > 0) resolver.setServers(servers)
    return resolver
  }
  const shared = open()
  const ask: Ask = async (type, name) => {
    const began = performance.now()
    const answer = await asked(() => question[type](shared, name))
    const isEarly = answer.kind === 'unknown' && answer.reason === late && performance.now() - began < earlyMs
    // c-ares expects answers as quick as those before it, whatever the timeout: a slow server has the rest of the time of one that knows none.
    return isEarly ? asked(() => question[type](open(), name)) : answer
  }
  return {
    lookUp: (type, name) => within(deadlineMs, followed(ask, type, name), () => ({ kind: 'unknown', reason: late })),
  }
}

type Ask = <Type extends RecordType>(type: Type, name: string) => Promise<DnsAnswer<Records[Type]>>

async function followed<Type extends RecordType>(ask: Ask, type: Type, name: string): Promise<DnsAnswer<Records[Type]>> {
  let at = name
  for (let hop = 0; hop <= maxHops; hop++) {
    const answer = await ask(type, at)
    if (answer.kind !== 'none' || !answer.nameExists || type === 'CNAME') return answer
    const alias = await ask('CNAME', at)
    if (alias.kind === 'unknown') return alias
    const target = alias.kind === 'found' ? alias.records[0] : undefined
    if (target === undefined) return answer
    at = target
  }
  return { kind: 'unknown', reason: `more than ${maxHops} CNAME records in a row` }
}

const question: { [Type in RecordType]: (resolver: Resolver, name: string) => Promise<Records[Type][]> } = {
  TXT: async (resolver, name) => (await resolver.resolveTxt(name)).map((strings) => strings.join('')),
  CNAME: async (resolver, name) => (await resolver.resolveCname(name)).map(plainName),
  MX: async (resolver, name) =>
    (await resolver.resolveMx(name)).map(({ exchange, priority }) => ({ exchange: plainName(exchange), priority })),
  NS: async (resolver, name) => (await resolver.resolveNs(name)).map(plainName),
  SOA: async (resolver, name) => [plainName((await resolver.resolveSoa(name)).nsname)],
  A: (resolver, name) => resolver.resolve4(name),
  AAAA: (resolver, name) => resolver.resolve6(name),
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}

const late = 'no answer in time'

const reasons: Record<string, string> = {
  ESERVFAIL: 'SERVFAIL',
  EREFUSED: 'REFUSED',
  ETIMEOUT: late,
  ECONNREFUSED: 'the name server cannot be reached',
}

async function asked<Kind>(ask: () => Promise<Kind[]>): Promise<DnsAnswer<Kind>> {
  try {
    const records = await ask()
    return records.length > 0 ? { kind: 'found', records } : { kind: 'none', nameExists: true }
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (typeof code !== 'string') throw error
    if (code === 'ENODATA') return { kind: 'none', nameExists: true }
    // A name that DNS cannot encode does not exist in it.
    if (code === 'ENOTFOUND' || code === 'EBADNAME') return { kind: 'none', nameExists: false }
    return { kind: 'unknown', reason: reasons[code] ?? code }
  }
}
