import { createCache } from '../../kit/cache.ts'
import type { Dns, DnsAnswer } from '../../kit/dns.ts'
import { perWorld, type World } from '../../kit/world.ts'

/** Whether something is true, or why DNS could not answer. */
export type Fact = { kind: 'yes' } | { kind: 'no' } | { kind: 'unknown'; reason: string }

/** What DNS says about the domain of an address. */
export interface DomainFacts {
  exists: Fact
  website: Fact
  /** `null`: the domain declares that it accepts no email (RFC 7505). */
  mailServer: Fact | { kind: 'null' }
}

/** What DNS says about a domain, within 4 s; cached for 5 minutes per process, and looked up once for concurrent calls. */
export function factsOf(world: World, domain: string): Promise<DomainFacts> {
  return factCache(world).find(domain)
}

// Entries expire by age only, and by the clock of the world, because users can observe the age.
const factCache = perWorld((world) =>
  createCache({
    max: 10_000,
    ttlMs: 5 * 60_000,
    clock: world.clock,
    load: (domain: string) => lookUp(world.dns, domain),
    // A failed look-up is not stored, so that it is repeated.
    stores: (facts) => Object.values(facts).every(({ kind }) => kind !== 'unknown'),
  }),
)

async function lookUp(dns: Dns, domain: string): Promise<DomainFacts> {
  const [mx, a, aaaa, ns, soa] = await Promise.all([
    dns.lookUp('MX', domain),
    dns.lookUp('A', domain),
    dns.lookUp('AAAA', domain),
    dns.lookUp('NS', domain),
    dns.lookUp('SOA', domain),
  ])
  const isNull = mx.kind === 'found' && mx.records.every(({ exchange }) => exchange === '')
  return {
    exists: existence([mx, a, aaaa, ns, soa]),
    website: anyOf([a, aaaa]),
    mailServer: isNull ? { kind: 'null' } : anyOf([mx]),
  }
}

// A name exists if it has any record, or none of the type but others: subdomains for email have no name servers of their own.
function existence(answers: DnsAnswer<unknown>[]): Fact {
  if (answers.some((answer) => answer.kind === 'found' || (answer.kind === 'none' && answer.nameExists))) return { kind: 'yes' }
  if (answers.some(({ kind }) => kind === 'none')) return { kind: 'no' }
  return anyOf(answers)
}

function anyOf(answers: DnsAnswer<unknown>[]): Fact {
  if (answers.some(({ kind }) => kind === 'found')) return { kind: 'yes' }
  const unknown = answers.find((answer) => answer.kind === 'unknown')
  return unknown ? { kind: 'unknown', reason: unknown.reason } : { kind: 'no' }
}
