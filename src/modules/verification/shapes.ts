import { z } from 'zod'
import { EmailAddress } from '../../kit/shapes.ts'

/** An address to check. */
export const EmailToCheck = z.object({ email: EmailAddress }).meta({ id: 'EmailToCheck' })
/** An address to check. */
export type EmailToCheck = z.output<typeof EmailToCheck>

/** What can be known of an address without writing to it. */
export const EmailCheck = z
  .object({
    email: z.string().describe('The address, trimmed and lower-cased.'),
    valid: z
      .boolean()
      .describe('False for a name that cannot be, a domain that does not exist, and one without a mail server (no MX, or a null MX).'),
    isDisposable: z.boolean().describe('The domain gives addresses that are thrown away.'),
    isAlias: z.boolean().describe('The domain forwards to an address it hides.'),
    isTypo: z.boolean().describe('The domain is nearly that of a large provider; see `suggestedEmail`.'),
    isPlusAddressed: z.boolean().describe('The part before the @ holds a tag after a plus.'),
    isPersonalEmail: z.boolean().describe('The domain is that of a provider of mailboxes for people.'),
    domainExists: z.boolean().describe('The domain is in DNS. False as well when DNS could not be asked, which `reasons` says.'),
    hasWebsite: z.boolean().describe('The domain has an address (A or AAAA).'),
    hasMxRecords: z.boolean().describe('The domain names a mail server.'),
    reasons: z.array(z.string()).describe('What was found, in sentences; one sentence when there is nothing to say against it.'),
    suggestedEmail: z.string().optional().describe('What was probably meant; only for a typo.'),
  })
  .meta({ id: 'EmailCheck', description: 'What can be known of an address without writing to it.' })
/** What can be known of an address without writing to it. */
export type EmailCheck = z.output<typeof EmailCheck>
