import type { Dns, DnsAnswer } from '../../kit/dns.ts'
import { perWorld } from '../../kit/world.ts'

/** Yes or no, or why it could not be asked. */
export type Fact = { kind: 'yes' } | { kind: 'no' } | { kind: 'unknown'; reason: string }

/** What DNS says of a domain mail may go to. */
export interface DomainFacts {
  exists: Fact
  website: Fact
  /** `null`: the domain says that it takes no mail (RFC 7505). */
  mailServer: Fact | { kind: 'null' }
}

const keptMs = 5 * 60_000
const mostKept = 10_000

/**
 * What DNS says of a domain, within 4 s; asked once in 5 minutes and process, and by several callers at once only once.
 * What could not be asked is not kept.
 */
export const factsOf = perWorld((world) => {
  const kept = new Map<string, { facts: Promise<DomainFacts>; until: number }>()
  return (domain: string): Promise<DomainFacts> => {
    const now = world.clock.now().getTime()
    const there = kept.get(domain)
    if (there && there.until > now) return there.facts
    const facts = lookUp(world.dns, domain)
    if (kept.size >= mostKept) kept.clear()
    const entry = { facts, until: now + keptMs }
    kept.set(domain, entry)
    void facts.then(
      (known) => {
        if (Object.values(known).some(({ kind }) => kind === 'unknown') && kept.get(domain) === entry) kept.delete(domain)
      },
      () => kept.delete(domain),
    )
    return facts
  }
})

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
