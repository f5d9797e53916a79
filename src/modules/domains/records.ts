import type { DnsRecord } from './shapes.ts'

/** What of a domain's row its records are made of. */
export interface ProvedBy {
  domain: string
  status: 'PENDING' | 'VERIFIED'
  dkimSelector: string
  dkimPublic: string
}

/**
 * The DNS records of a domain. DKIM proves it and is required; DMARC is advised, as large receivers ask for one. There is
 * no SPF or return path record: mail leaves through the operator's SMTP server, whose own documentation names those.
 */
export function dnsRecords({ domain, status, dkimSelector, dkimPublic }: ProvedBy): DnsRecord[] {
  const found = status === 'VERIFIED'
  return [
    {
      type: 'TXT',
      name: `${dkimSelector}._domainkey.${domain}`,
      value: `v=DKIM1; k=rsa; p=${dkimPublic}`,
      purpose: 'DKIM',
      required: true,
      status,
      found,
    },
    {
      type: 'TXT',
      name: `_dmarc.${domain}`,
      value: 'v=DMARC1; p=none',
      purpose: 'DMARC',
      required: false,
      status: 'PENDING',
      found: false,
    },
  ]
}
