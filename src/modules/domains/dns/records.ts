import type { Config } from '../../../kit/config.ts'
import { type DnsRecord, Findings } from '../shapes.ts'

/** What of a domain's row its records are made of. */
export interface ProvedBy {
  domain: string
  status: 'PENDING' | 'VERIFIED'
  dkimSelector: string
  dkimPublic: string
  /** What the last check found, as stored; null before the first one. */
  findings: unknown
}

/** Whose records the operator of this installation wants in the DNS of every sender domain. */
export type Hosts = Pick<Config, 'SPF_INCLUDE' | 'RETURN_PATH_HOST' | 'TRACKING_HOST' | 'INBOUND_HOST'>

/** A record before anybody looked for it. */
export type RecordToSet = Pick<DnsRecord, 'type' | 'name' | 'value' | 'purpose' | 'required'>

/** What stands in a DKIM record of ours. */
export function dkimValue({ dkimPublic }: Pick<ProvedBy, 'dkimPublic'>): string {
  return `v=DKIM1; k=rsa; p=${dkimPublic}`
}

/**
 * The records to set for a domain. DKIM proves it and is required; DMARC is advised, as large receivers ask for one. SPF,
 * return path, tracking and inbound stand here when the operator has named the hosts that serve them.
 */
export function recordsToSet(row: Pick<ProvedBy, 'domain' | 'dkimSelector' | 'dkimPublic'>, hosts: Hosts): RecordToSet[] {
  const { domain, dkimSelector } = row
  const { SPF_INCLUDE: spf, RETURN_PATH_HOST: bounces, TRACKING_HOST: links, INBOUND_HOST: inbound } = hosts
  const advised: (RecordToSet | undefined)[] = [
    spf ? { type: 'TXT', name: domain, value: `v=spf1 include:${spf} ~all`, purpose: 'SPF', required: false } : undefined,
    bounces ? { type: 'CNAME', name: `bounce.${domain}`, value: bounces, purpose: 'RETURN_PATH', required: false } : undefined,
    { type: 'TXT', name: `_dmarc.${domain}`, value: 'v=DMARC1; p=none', purpose: 'DMARC', required: false },
    links ? { type: 'CNAME', name: `links.${domain}`, value: links, purpose: 'TRACKING', required: false } : undefined,
    inbound ? { type: 'MX', name: domain, value: `10 ${inbound}`, purpose: 'INBOUND', required: false } : undefined,
  ]
  return [
    { type: 'TXT', name: `${dkimSelector}._domainkey.${domain}`, value: dkimValue(row), purpose: 'DKIM', required: true },
    ...advised.filter((record) => record !== undefined),
  ]
}

const notYet = 'Not looked for yet: the first check comes within 5 minutes, GET /domains/:id/verify makes one now.'

/** The records of a domain with what the last check found of each. */
export function dnsRecords(row: ProvedBy, hosts: Hosts): DnsRecord[] {
  const findings = storedFindings(row)
  // Verified without a check: a name that can be in no public DNS, which needs no records.
  const unneeded = findings === null && row.status === 'VERIFIED'
  return recordsToSet(row, hosts).map((record) => {
    const finding = findings?.find(({ purpose }) => purpose === record.purpose)
    const { found, current, problem } = finding ?? { found: unneeded, current: [], problem: unneeded ? null : notYet }
    return { ...record, status: found ? 'VERIFIED' : 'PENDING', found, current, problem }
  })
}

/** What the last check found, or null before the first one. */
export function storedFindings({ findings }: Pick<ProvedBy, 'findings'>): Findings | null {
  return findings === null ? null : Findings.parse(findings)
}
