import { z } from 'zod'
import { EmailAddress } from '../../kit/shapes.ts'

/** An address to check. */
export const EmailToCheck = z.object({ email: EmailAddress }).meta({ id: 'EmailToCheck' })
/** An address to check. */
export type EmailToCheck = z.output<typeof EmailToCheck>

/** What can be found out about an address without sending an email to it. */
export const EmailCheck = z
  .object({
    email: z.string().describe('The address, trimmed and lower-cased.'),
    valid: z
      .boolean()
      .describe(
        'Whether the address may receive email. False for an invalid format, a domain that does not exist, and a domain without a mail server (no MX record, or a null MX record).',
      ),
    isDisposable: z.boolean().describe('Whether the domain provides disposable addresses.'),
    isAlias: z.boolean().describe('Whether the domain forwards to an address that it hides.'),
    isTypo: z.boolean().describe('Whether the domain is probably a typo of a large provider; see `suggestedEmail`.'),
    isPlusAddressed: z.boolean().describe('Whether the part before the @ has a tag after a plus sign.'),
    isPersonalEmail: z.boolean().describe('Whether the domain belongs to a provider of personal mailboxes.'),
    domainExists: z.boolean().describe('Whether the domain exists in DNS. Also false if DNS could not be queried; then `reasons` says so.'),
    hasWebsite: z.boolean().describe('Whether the domain has an IP address (an A or AAAA record).'),
    hasMxRecords: z.boolean().describe('Whether the domain has a mail server (an MX record).'),
    reasons: z.array(z.string()).describe('What was found, as sentences for people; a single positive sentence if there is no problem.'),
    suggestedEmail: z.string().optional().describe('The address that was probably meant; present only for a typo.'),
  })
  .meta({ id: 'EmailCheck', description: 'What can be found out about an address without sending an email to it.' })
/** What can be found out about an address without sending an email to it. */
export type EmailCheck = z.output<typeof EmailCheck>
