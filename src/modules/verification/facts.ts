import { createCache } from '../../kit/cache.ts'
import type { Dns, DnsAnswer } from '../../kit/dns.ts'
import { perWorld, type World } from '../../kit/world.ts'

/** Yes or no, or why it could not be asked. */
export type Fact = { kind: 'yes' } | { kind: 'no' } | { kind: 'unknown'; reason: string }

/** What DNS says of a domain mail may go to. */
export interface DomainFacts {
  exists: Fact
  website: Fact
  /** `null`: the domain says that it takes no mail (RFC 7505). */
  mailServer: Fact | { kind: 'null' }
}

/** What DNS says of a domain, within 4 s; asked once in 5 minutes and process, and by several callers at once only once. */
export function factsOf(world: World, domain: string): Promise<DomainFacts> {
  return factCache(world).find(domain)
}

// Nothing empties it before its age does, which is one a user can see and goes by the world's clock.
const factCache = perWorld((world) =>
  createCache({
    max: 10_000,
    ttlMs: 5 * 60_000,
    clock: world.clock,
    load: (domain: string) => lookUp(world.dns, domain),
    // What could not be asked is asked again.
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

// A name is there when it has any record, or none of a type but others: mail sub-domains have no name servers of their own.
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
