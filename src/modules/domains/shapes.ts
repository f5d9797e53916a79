import { z } from 'zod'
import { Text, Timestamp } from '../../kit/shapes.ts'
import { domainName } from './name.ts'

/** A domain name as it may be added; answered lower-case and in punycode. */
export const DomainName = Text.max(1_000)
  .transform((text, ctx) => {
    const name = domainName(text)
    if (name !== null) return name
    ctx.issues.push({
      code: 'custom',
      input: text,
      message: 'must be a domain name such as mail.example.com: 3 to 253 characters, no IP address, no trailing dot',
    })
    return z.NEVER
  })
  .meta({
    description: 'The part after the @ of the addresses you send from. International names become punycode.',
    examples: ['mail.example.com'],
  })

/** What a record is for. */
const PurposeShape = z.enum(['DKIM', 'SPF', 'RETURN_PATH', 'DMARC', 'TRACKING', 'INBOUND'])
/** What a record is for. */
export type Purpose = z.output<typeof PurposeShape>

const seen = {
  found: z.boolean().describe('Whether the last check that DNS answered found it; names that need no DNS count as found.'),
  current: z
    .array(z.string())
    .describe('What DNS answered there, at most 10 values of 1,000 characters; of SPF and DMARC only records of that kind.'),
  problem: z.string().nullable().describe('What is wrong and what to change; null when nothing is.'),
}

/** What the last check found of a domain's records, as it is kept. */
export const Findings = z.array(z.object({ purpose: PurposeShape, ...seen }))
/** What the last check found of a domain's records. */
export type Findings = z.output<typeof Findings>

/** A record to set in the DNS of a domain. */
export const DnsRecord = z
  .object({
    type: z.enum(['TXT', 'CNAME', 'MX']),
    name: z.string().describe('The full name of the record.'),
    value: z
      .string()
      .describe('The value in one piece; name servers cut what is longer than 255 characters themselves. Of an MX: priority and host.'),
    purpose: PurposeShape,
    required: z.boolean().describe('Whether the domain stays PENDING without it.'),
    status: z.enum(['PENDING', 'VERIFIED']).describe('VERIFIED when it was found.'),
    ...seen,
  })
  .meta({ id: 'DnsRecord', description: 'A record to set in the DNS of a domain, and what was found of it.' })
/** A record to set in the DNS of a domain. */
export type DnsRecord = z.output<typeof DnsRecord>

/** A domain that mail of the project may come from, with the DNS records that prove it. */
export const Domain = z
  .object({
    id: z.string().meta({ examples: ['dom_01m7y3mwcpfqhrhzca2e1aqg79'] }),
    domain: z.string(),
    status: z.enum(['PENDING', 'VERIFIED']),
    verified: z.boolean().describe('The same as status VERIFIED.'),
    records: z.array(DnsRecord),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    checkedAt: Timestamp.nullable().describe('When its records were last looked for; null before the first time.'),
  })
  .meta({ id: 'Domain', description: 'A domain that mail of the project may come from. Sub-domains are separate.' })
/** A domain that mail of the project may come from. */
export type Domain = z.output<typeof Domain>

/** The domains of a project, newest first. */
export const Domains = z.array(Domain).meta({ id: 'Domains' })

/** A domain to add. */
export const DomainDraft = z.object({ domain: DomainName }).meta({ id: 'DomainDraft' })
/** A domain to add. */
export type DomainDraft = z.output<typeof DomainDraft>

/** Whose domains: the id must be that of the key's own project. */
export const ByProjectId = z.object({ projectId: z.string() })
