import type { Config } from '../../../kit/config.ts'
import { linkHostOf } from '../links.ts'
import { type DnsRecord, Findings } from '../shapes.ts'

/** The columns of a domain from which its records are made. */
export interface RecordSource {
  domain: string
  status: 'PENDING' | 'VERIFIED'
  dkimSelector: string
  dkimPublic: string
  /** What the last check found, as stored; null before the first one. */
  findings: unknown
}

/** The hosts of this installation that the DNS of sender domains should refer to, as set by the operator. */
export type Hosts = Pick<Config, 'transport' | 'SES_REGION' | 'SPF_INCLUDE' | 'RETURN_PATH_HOST' | 'TRACKING_HOST' | 'INBOUND_HOST'>

/** A record to set, without what a check has found of it. */
export type RecordToSet = Pick<DnsRecord, 'type' | 'name' | 'value' | 'purpose' | 'required'>

/** The value of the DKIM record of a domain (RFC 6376, 3.6.1). */
export function dkimValue({ dkimPublic }: Pick<RecordSource, 'dkimPublic'>): string {
  return `v=DKIM1; k=rsa; p=${dkimPublic}`
}

/**
 * The records to set for a domain. DKIM is required: it verifies the domain. DMARC is recommended, because large receivers
 * require a policy. SPF, return path, tracking and inbound records are included when the operator has configured their hosts; with Amazon
 * SES the return path and its SPF record are those that SES asks for (a custom MAIL FROM domain).
 */
export function recordsToSet(row: Pick<RecordSource, 'domain' | 'dkimSelector' | 'dkimPublic'>, hosts: Hosts): RecordToSet[] {
  const { domain, dkimSelector } = row
  const { TRACKING_HOST: links, INBOUND_HOST: inbound } = hosts
  const recommended: (RecordToSet | undefined)[] = [
    ...bounceRecords(domain, hosts),
    { type: 'TXT', name: `_dmarc.${domain}`, value: 'v=DMARC1; p=none', purpose: 'DMARC', required: false },
    links ? { type: 'CNAME', name: linkHostOf(domain), value: links, purpose: 'TRACKING', required: false } : undefined,
    inbound ? { type: 'MX', name: domain, value: `10 ${inbound}`, purpose: 'INBOUND', required: false } : undefined,
  ]
  return [
    { type: 'TXT', name: `${dkimSelector}._domainkey.${domain}`, value: dkimValue(row), purpose: 'DKIM', required: true },
    ...recommended.filter((record) => record !== undefined),
  ]
}

/** The host of a sender domain that its bounces go to. */
export function bounceHostOf(domain: string): string {
  return `bounce.${domain}`
}

// Who may send email for the host of the return path, and where bounces go.
function bounceRecords(domain: string, hosts: Hosts): RecordToSet[] {
  const { transport, SES_REGION: region, SPF_INCLUDE: include, RETURN_PATH_HOST: bounces } = hosts
  const name = bounceHostOf(domain)
  const spf = (at: string, included: string): RecordToSet => {
    return { type: 'TXT', name: at, value: `v=spf1 include:${included} ~all`, purpose: 'SPF', required: false }
  }
  if (transport === 'ses')
    return [
      spf(name, 'amazonses.com'),
      { type: 'MX', name, value: `10 feedback-smtp.${region}.amazonses.com`, purpose: 'RETURN_PATH', required: false },
    ]
  return [
    ...(include ? [spf(domain, include)] : []),
    ...(bounces ? [{ type: 'CNAME', name, value: bounces, purpose: 'RETURN_PATH', required: false } as const] : []),
  ]
}

const notYet = 'Not checked yet: the first check is within 5 minutes, or when you ask for it.'

/** The records of a domain, each with what the last check found. */
export function dnsRecords(row: RecordSource, hosts: Hosts): DnsRecord[] {
  const findings = storedFindings(row)
  // Verified without a check: a name that cannot be in public DNS, which needs no records.
  const unneeded = findings === null && row.status === 'VERIFIED'
  return recordsToSet(row, hosts).map((record) => {
    const finding = findings?.find(({ purpose }) => purpose === record.purpose)
    const { found, current, problem } = finding ?? { found: unneeded, current: [], problem: unneeded ? null : notYet }
    return { ...record, status: found ? 'VERIFIED' : 'PENDING', found, current, problem }
  })
}

/** What the last check found, or null before the first one. */
export function storedFindings({ findings }: Pick<RecordSource, 'findings'>): Findings | null {
  return findings === null ? null : Findings.parse(findings)
}
