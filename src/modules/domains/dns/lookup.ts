import { within } from '../../../kit/deadline.ts'
import type { Dns, DnsAnswer } from '../../../kit/dns.ts'
import type { Purpose } from '../shapes.ts'
import {
  checkAlias,
  checkDkim,
  checkDmarc,
  checkInbound,
  checkOnlyExchange,
  checkSpf,
  type RecordResult,
  unanswered,
} from './record-checks.ts'
import type { RecordSource, RecordToSet } from './records.ts'

const deadlineMs = 4_500
const maxHops = 8
// A policy is looked for at the domain itself and at this many parents, from the one with two labels on.
const maxAncestors = 3

/**
 * Looks up all records of a domain in DNS and compares them; `confirm` has the last word on each. Takes at most 4.5 s and never fails: an unanswered
 * query has the verdict `unknown`.
 */
export async function lookUpRecords(
  dns: Dns,
  { domain, dkimPublic }: Pick<RecordSource, 'domain' | 'dkimPublic'>,
  records: RecordToSet[],
  confirm: (record: RecordToSet, result: RecordResult) => RecordResult | Promise<RecordResult>,
): Promise<{ record: RecordToSet; result: RecordResult }[]> {
  const checks: Record<Purpose, (record: RecordToSet) => Promise<RecordResult>> = {
    DKIM: async ({ name, value }) => checkDkim({ value, publicKey: dkimPublic }, await dns.lookUp('TXT', name)),
    SPF: async ({ name, value }) => checkSpf(includeOf(value), await dns.lookUp('TXT', name)),
    DMARC: async () => checkDmarc(await policiesOf(dns, domain)),
    RETURN_PATH: async ({ type, name, value }) =>
      type === 'MX' ? checkOnlyExchange(exchangeOf(value), await dns.lookUp('MX', name)) : checkAlias(value, await chainOf(dns, name)),
    TRACKING: async ({ name, value }) => checkAlias(value, await chainOf(dns, name)),
    INBOUND: async ({ name, value }) => checkInbound(exchangeOf(value), await dns.lookUp('MX', name)),
  }
  const late = (): RecordResult => unanswered('no answer in time')
  const check = async (record: RecordToSet) => confirm(record, await checks[record.purpose](record))
  return Promise.all(records.map(async (record) => ({ record, result: await within(deadlineMs, check(record), late) })))
}

// The values are those of recordsToSet.
const includeOf = (spf: string): string => /include:(\S+)/.exec(spf)?.[1] ?? ''
const exchangeOf = (mx: string): string => mx.split(' ')[1] ?? ''

async function policiesOf(dns: Dns, domain: string) {
  const labels = domain.split('.')
  const parents = labels.slice(1, -1).map((_label, at) => labels.slice(at + 1).join('.'))
  return Promise.all(
    [domain, ...parents.slice(-maxAncestors)].map(async (owner) => {
      const name = `_dmarc.${owner}`
      return { name, answer: await dns.lookUp('TXT', name) }
    }),
  )
}

// The names that a name is an alias of, following CNAME records one after the other.
async function chainOf(dns: Dns, name: string): Promise<DnsAnswer<string>> {
  const records: string[] = []
  let at = name
  while (records.length < maxHops) {
    const answer = await dns.lookUp('CNAME', at)
    if (answer.kind === 'unknown' || (answer.kind === 'none' && records.length === 0)) return answer
    const target = answer.kind === 'found' ? answer.records[0] : undefined
    if (target === undefined || records.includes(target)) break
    records.push(target)
    at = target
  }
  return { kind: 'found', records }
}
