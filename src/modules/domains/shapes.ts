import { z } from 'zod'
import { domainName } from '../../kit/domain-name.ts'
import { Text, Timestamp } from '../../kit/shapes.ts'

// Letters of all scripts, digits and hyphens; the last label is not a number.
const label = '[a-zA-Z0-9\\u0080-\\uffff-]+'
// Those of other scripts are dots too (UTS 46).
const dot = '[.\\u3002\\uff0e\\uff61]'

/** A domain name to add; it is converted to lower case and punycode. */
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
    description: 'The part after the @ of the addresses you send from. International names are converted to punycode.',
    minLength: 3,
    maxLength: 253,
    pattern: `^\\s*(${label}${dot})+(?!\\d+\\s*$)${label}\\s*$`,
    examples: ['mail.example.com'],
  })

/** What a record is for. */
const PurposeShape = z.enum(['DKIM', 'SPF', 'RETURN_PATH', 'DMARC', 'TRACKING', 'INBOUND'])
/** What a record is for. */
export type Purpose = z.output<typeof PurposeShape>

const seen = {
  found: z
    .boolean()
    .describe('Whether the last check that got an answer from DNS found the record. Always true for names that need no DNS.'),
  current: z
    .array(z.string())
    .describe(
      'The values that DNS has at this name: at most 10, of at most 1,000 characters. For SPF and DMARC only records of that kind.',
    ),
  problem: z.string().nullable().describe('What is wrong and what to change; null when nothing is wrong.'),
}

/** What the last check found of a domain's records, as it is stored. */
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
      .describe(
        'The value in one piece; name servers split values of more than 255 characters themselves. For an MX record: priority and host.',
      ),
    purpose: PurposeShape,
    required: z.boolean().describe('Whether the domain stays PENDING without it.'),
    status: z.enum(['PENDING', 'VERIFIED']).describe('VERIFIED when the record was found.'),
    ...seen,
  })
  .meta({ id: 'DnsRecord', description: 'A record to set in the DNS of a domain, and what the last check found of it.' })
/** A record to set in the DNS of a domain. */
export type DnsRecord = z.output<typeof DnsRecord>

/** How far the warm-up of a domain is. */
export const WarmUp = z
  .object({
    startedAt: Timestamp.describe('When it began.'),
    day: z.int().describe('Its day, from 1: days are those of UTC.'),
    limitToday: z
      .int()
      .nullable()
      .describe('How many emails may leave today; null once the last day of the table is over: then there is no limit any more.'),
    sentToday: z.int().describe('How many have left today, transactional ones included, which are never held up.'),
    waiting: z.int().describe('How many emails of campaigns and workflows wait for another day, counted up to 100,000.'),
  })
  .meta({ id: 'DomainWarmUp', description: 'How far the warm-up of a domain is.' })
/** How far the warm-up of a domain is. */
export type WarmUp = z.output<typeof WarmUp>

/** A domain from which the project can send, with the DNS records that verify it. */
export const Domain = z
  .object({
    id: z.string().meta({ examples: ['dom_01m7y3mwcpfqhrhzca2e1aqg79'] }),
    domain: z.string(),
    status: z.enum(['PENDING', 'VERIFIED']),
    verified: z.boolean().describe('The same as status VERIFIED.'),
    records: z.array(DnsRecord),
    warmUp: WarmUp.nullable().describe('How far its warm-up is; null when it has none.'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    checkedAt: Timestamp.nullable().describe('When its records were last checked; null before the first check.'),
  })
  .meta({ id: 'Domain', description: 'A domain from which the project can send. Subdomains are separate domains.' })
/** A domain from which the project can send. */
export type Domain = z.output<typeof Domain>

/** The domains of a project, newest first. */
export const Domains = z.array(Domain).meta({ id: 'Domains' })

/** A domain to add. */
export const DomainDraft = z.object({ domain: DomainName }).meta({ id: 'DomainDraft' })
/** A domain to add. */
export type DomainDraft = z.output<typeof DomainDraft>

/** The project whose domains are listed, which must be the project of the call. */
export const ByProjectId = z.object({ projectId: z.string() })

/** A change of a domain. */
export const DomainChange = z
  .object({
    id: z.string(),
    warmUp: z
      .boolean()
      .optional()
      .describe('True begins its warm-up today, unless it has begun; false ends it, and what waits for it may leave. Left out: no change.'),
  })
  .meta({ id: 'DomainChange', examples: [{ warmUp: true }] })
/** A change of a domain. */
export type DomainChange = z.output<typeof DomainChange>
