import type { DnsAnswer, MailExchange } from '../../../kit/dns.ts'

/** The result for one record: whether DNS has it as required, what DNS has now, and what to change. */
export interface RecordResult {
  verdict: 'found' | 'absent' | 'unknown'
  current: string[]
  problem: string | null
}

/** The result for a query that DNS did not answer. */
export function unanswered(reason: string): RecordResult {
  return { verdict: 'unknown', current: [], problem: `DNS did not answer: ${reason}. The next check is in 5 minutes.` }
}

function found(current: string[]): RecordResult {
  return { verdict: 'found', current, problem: null }
}

function absent(current: string[], problem: string): RecordResult {
  return { verdict: 'absent', current, problem }
}

// Tags of DKIM and DMARC records (RFC 6376, 3.2): in any order, with spaces anywhere; of several with the same name the first counts.
function tagsOf(text: string): Map<string, string> {
  const tags = new Map<string, string>()
  for (const tag of text.split(';')) {
    const at = tag.indexOf('=')
    const name = tag.slice(0, at).trim().toLowerCase()
    if (at > 0 && !tags.has(name)) tags.set(name, tag.slice(at + 1).trim())
  }
  return tags
}

/** Whether a name has the DKIM key of the domain, in any equivalent spelling (RFC 6376, 3.6.1). */
export function checkDkim({ value, publicKey }: { value: string; publicKey: string }, answer: DnsAnswer<string>): RecordResult {
  if (answer.kind === 'unknown') return unanswered(answer.reason)
  if (answer.kind === 'none') return absent([], 'There is no TXT record at this name yet: add one with this value.')
  const keys = answer.records.map(tagsOf).filter((tags) => tags.has('p'))
  const [tags, another] = keys
  if (!tags) return absent(answer.records, `The TXT record at this name is not a DKIM key: change it to ${value}`)
  if (another)
    return absent(answer.records, 'There are several DKIM keys at this name: keep only the one with this value (RFC 6376, 3.6.2.2).')
  const key = tags.get('p')?.replace(/\s/g, '')
  if (key === '') return absent(answer.records, `The key at this name is revoked (an empty p=): change the record to ${value}`)
  if (key !== publicKey) return absent(answer.records, `The record at this name has another key: change it to ${value}`)
  const wrong = limitOf(tags)
  return wrong ? absent(answer.records, `${wrong}: change the record to ${value}`) : found(answer.records)
}

// Why receivers would not accept a record that has the right key (RFC 6376, 3.6.1).
function limitOf(tags: Map<string, string>): string | undefined {
  const list = (name: string): string[] | undefined =>
    tags
      .get(name)
      ?.toLowerCase()
      .split(':')
      .map((one) => one.trim())
  if ((tags.get('v') ?? 'DKIM1').toUpperCase() !== 'DKIM1') return 'The tag v= must be DKIM1'
  if ((list('k') ?? ['rsa'])[0] !== 'rsa') return 'The tag k= must be rsa'
  if (!(list('h') ?? ['sha256']).includes('sha256')) return 'The tag h= does not include sha256'
  const services = list('s') ?? ['*']
  return services.includes('*') || services.includes('email') ? undefined : 'The tag s= does not include email'
}

/** Whether the SPF record of a domain includes that of the operator (RFC 7208), whatever else it allows. */
export function checkSpf(include: string, answer: DnsAnswer<string>): RecordResult {
  if (answer.kind === 'unknown') return unanswered(answer.reason)
  const records = answer.kind === 'found' ? answer.records.filter((text) => /^v=spf1( |$)/i.test(text.trim())) : []
  const [record, another] = records
  if (record === undefined) return absent([], 'There is no SPF record (TXT) at this name yet: add one with this value.')
  if (another !== undefined) return absent(records, 'There are several SPF records: merge them into one (RFC 7208, 3.2).')
  const terms = record.trim().split(/ +/).slice(1)
  const serves = (term: string): boolean => [`include:${include}`, `+include:${include}`].includes(term.toLowerCase().replace(/\.$/, ''))
  const all = terms.findIndex((term) => /^[+~?-]?all$/i.test(term))
  const at = terms.findIndex(serves)
  if (at >= 0 && (all < 0 || at < all)) return found(records)
  const merged = ['v=spf1', `include:${include}`, ...terms.filter((term) => !serves(term))].join(' ')
  const why = at >= 0 ? 'What follows "all" is ignored' : `It does not include ${include}`
  return absent(records, `${why}: change the SPF record to ${merged}`)
}

/** A name that may have a DMARC policy, and the answer of DNS for it. */
export interface PolicyAnswer {
  name: string
  answer: DnsAnswer<string>
}

/** Whether a domain has a DMARC policy of its own or of a parent domain (RFC 7489, 6.6.3); the nearest one counts. */
export function checkDmarc(answers: PolicyAnswer[]): RecordResult {
  for (const { name, answer } of answers) {
    if (answer.kind === 'unknown') return unanswered(answer.reason)
    const policies = answer.kind === 'found' ? answer.records.filter((text) => /^\s*v\s*=\s*DMARC1\s*(;|$)/i.test(text)) : []
    const [policy, another] = policies
    if (policy === undefined) continue
    if (another !== undefined) return absent(policies, `There are several DMARC records at ${name}: keep one (RFC 7489, 6.6.3).`)
    if (/^(none|quarantine|reject)$/i.test(tagsOf(policy).get('p') ?? '')) return found(policies)
    return absent(policies, `The DMARC record at ${name} has no policy: it needs p=none, p=quarantine or p=reject.`)
  }
  return absent([], 'There is no DMARC record (TXT) at this name yet: add one with this value.')
}

/** Whether a name is an alias of the operator's host, directly or through other names. */
export function checkAlias(target: string, chain: DnsAnswer<string>): RecordResult {
  if (chain.kind === 'unknown') return unanswered(chain.reason)
  if (chain.kind === 'found' && chain.records.includes(target)) return found(chain.records)
  if (chain.kind === 'found') return absent(chain.records, `The CNAME record points elsewhere: change it to ${target}`)
  const other = chain.nameExists
    ? ' First remove the records of other types at this name: a CNAME must be the only record (RFC 1034, 3.6.2).'
    : ''
  return absent([], `There is no CNAME record at this name yet: add one with this value.${other}`)
}

/** Whether a name has the MX record of a host, and no other: Amazon SES takes no return path with several. */
export function checkOnlyExchange(host: string, answer: DnsAnswer<MailExchange>): RecordResult {
  if (answer.kind === 'unknown') return unanswered(answer.reason)
  if (answer.kind === 'none') return absent([], 'There is no MX record at this name yet: add one with this value.')
  const current = exchangesOf(answer.records)
  if (!answer.records.some(({ exchange }) => exchange === host))
    return absent(current, `The MX record at this name is another one: change it to 10 ${host}`)
  if (answer.records.length > 1) return absent(current, `There are several MX records at this name: keep only 10 ${host}`)
  return found(current)
}

function exchangesOf(records: MailExchange[]): string[] {
  return records.map(({ priority, exchange }) => `${priority} ${exchange || '.'}`)
}

/** Whether email for a domain goes to the operator's host first. */
export function checkInbound(host: string, answer: DnsAnswer<MailExchange>): RecordResult {
  if (answer.kind === 'unknown') return unanswered(answer.reason)
  if (answer.kind === 'none') return absent([], 'There is no MX record at this name yet: add one with this value.')
  const servers = answer.records.toSorted((one, other) => one.priority - other.priority)
  const current = exchangesOf(servers)
  const ours = servers.find(({ exchange }) => exchange === host)
  const first = servers[0]
  if (!ours)
    return absent(current, `Mail for this domain goes to ${first?.exchange || 'nobody'}: add this record if it should be received here.`)
  if (first && first.priority < ours.priority)
    return absent(current, `${first.exchange} has priority over ${host}: give ${host} the lowest number of all MX records.`)
  return found(current)
}
