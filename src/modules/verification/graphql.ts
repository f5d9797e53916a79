import { builder } from '../../kit/builder.ts'
import { read } from '../../kit/problems.ts'
import { argumentsOf } from '../../kit/zod-input.ts'
import { type EmailCheck as CheckShape, EmailToCheck } from './shapes.ts'
import { checkEmail } from './verification.ts'

const EmailCheck = builder.objectRef<CheckShape>('EmailCheck').implement({
  description: 'What is known of an address without sending email to it.',
  fields: (t) => ({
    email: t.exposeString('email', { description: 'The address, trimmed and lower-cased.' }),
    valid: t.exposeBoolean('valid', {
      description:
        'Whether email to it can arrive. False for an impossible name, a domain that does not exist, and a domain without a mail server (no MX record, or a null MX).',
    }),
    isDisposable: t.exposeBoolean('isDisposable', { description: 'The domain is that of a provider of disposable addresses.' }),
    isAlias: t.exposeBoolean('isAlias', { description: 'The domain is that of a forwarding service that hides the real address.' }),
    isTypo: t.exposeBoolean('isTypo', { description: 'The domain looks like a misspelled large provider; see `suggestedEmail`.' }),
    isPlusAddressed: t.exposeBoolean('isPlusAddressed', { description: 'The part before the @ has a tag after a plus sign.' }),
    isPersonalEmail: t.exposeBoolean('isPersonalEmail', { description: 'The domain is that of a provider of personal mailboxes.' }),
    domainExists: t.exposeBoolean('domainExists', {
      description: 'The domain is in DNS. Also false when the lookup failed; `reasons` says so then.',
    }),
    hasWebsite: t.exposeBoolean('hasWebsite', { description: 'The domain has an address (A or AAAA).' }),
    hasMxRecords: t.exposeBoolean('hasMxRecords', { description: 'The domain has an MX record.' }),
    reasons: t.exposeStringList('reasons', {
      description: 'What was found, in sentences; a single sentence when nothing is wrong.',
    }),
    suggestedEmail: t.exposeString('suggestedEmail', { nullable: true, description: 'What was probably meant; null unless it is a typo.' }),
  }),
})

builder.queryField('checkEmail', (t) =>
  t.field({
    extensions: { cost: 20, waits: true },
    type: EmailCheck,
    description:
      'Checks an address without sending email to it, within 5 s: form, MX records, disposable domains, forwarding services, personal providers, typos. A DNS lookup that failed gives false flags and a reason, and does not by itself make the address invalid. Fails with VALIDATION_ERROR for text that is not an address at all.',
    args: argumentsOf(t, EmailToCheck),
    resolve: (_parent, args, ctx) => checkEmail(ctx, read(EmailToCheck, args)),
  }),
)
