import { within } from '../../../kit/deadline.ts'
import type { Dns, DnsAnswer } from '../../../kit/dns.ts'
import type { Purpose } from '../shapes.ts'
import { type Proof, proveAlias, proveDkim, proveDmarc, proveInbound, proveSpf, unasked } from './proofs.ts'
import type { Hosts, ProvedBy, RecordToSet } from './records.ts'

const deadlineMs = 4_500
const mostHops = 8
// The domain itself and the highest ones above it, of two labels and more.
const mostAbove = 3

/** What a look at DNS says of all records of a domain; at most 4.5 s, and never a failure. */
export async function lookAt(
  dns: Dns,
  { domain, dkimPublic }: Pick<ProvedBy, 'domain' | 'dkimPublic'>,
  records: RecordToSet[],
  hosts: Hosts,
): Promise<{ record: RecordToSet; proof: Proof }[]> {
  const ways: Record<Purpose, (record: RecordToSet) => Promise<Proof>> = {
    DKIM: async ({ name, value }) => proveDkim({ value, publicKey: dkimPublic }, await dns.lookUp('TXT', name)),
    SPF: async ({ name }) => proveSpf(hosts.SPF_INCLUDE ?? '', await dns.lookUp('TXT', name)),
    DMARC: async () => proveDmarc(await policiesOf(dns, domain)),
    RETURN_PATH: async ({ name, value }) => proveAlias(value, await chainOf(dns, name)),
    TRACKING: async ({ name, value }) => proveAlias(value, await chainOf(dns, name)),
    INBOUND: async ({ name }) => proveInbound(hosts.INBOUND_HOST ?? '', await dns.lookUp('MX', name)),
  }
  const late = (): Proof => unasked('no answer in time')
  return Promise.all(records.map(async (record) => ({ record, proof: await within(deadlineMs, ways[record.purpose](record), late) })))
}

async function policiesOf(dns: Dns, domain: string) {
  const labels = domain.split('.')
  const above = labels.slice(1, -1).map((_label, at) => labels.slice(at + 1).join('.'))
  return Promise.all(
    [domain, ...above.slice(-mostAbove)].map(async (place) => {
      const name = `_dmarc.${place}`
      return { name, answer: await dns.lookUp('TXT', name) }
    }),
  )
}

// All names a name is an alias of, one after another.
async function chainOf(dns: Dns, name: string): Promise<DnsAnswer<string>> {
  const records: string[] = []
  let at = name
  while (records.length < mostHops) {
    const answer = await dns.lookUp('CNAME', at)
    if (answer.kind === 'unknown' || (answer.kind === 'none' && records.length === 0)) return answer
    const target = answer.kind === 'found' ? answer.records[0] : undefined
    if (target === undefined || records.includes(target)) break
    records.push(target)
    at = target
  }
  return { kind: 'found', records }
}
