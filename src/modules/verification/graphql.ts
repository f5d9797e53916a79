import { builder } from '../../kit/builder.ts'
import { inputOf } from '../../kit/zod-input.ts'
import { type EmailCheck as CheckShape, EmailToCheck } from './shapes.ts'
import { checkEmail } from './verification.ts'

const EmailCheck = builder.objectRef<CheckShape>('EmailCheck').implement({
  description: 'What can be known of an address without writing to it.',
  fields: (t) => ({
    email: t.exposeString('email', { description: 'The address, trimmed and lower-cased.' }),
    valid: t.exposeBoolean('valid', {
      description: 'False for a name that cannot be, a domain that does not exist, and one without a mail server (no MX, or a null MX).',
    }),
    isDisposable: t.exposeBoolean('isDisposable', { description: 'The domain gives addresses that are thrown away.' }),
    isAlias: t.exposeBoolean('isAlias', { description: 'The domain forwards to an address it hides.' }),
    isTypo: t.exposeBoolean('isTypo', { description: 'The domain is nearly that of a large provider; see suggestedEmail.' }),
    isPlusAddressed: t.exposeBoolean('isPlusAddressed', { description: 'The part before the @ holds a tag after a plus.' }),
    isPersonalEmail: t.exposeBoolean('isPersonalEmail', { description: 'The domain is that of a provider of mailboxes for people.' }),
    domainExists: t.exposeBoolean('domainExists', {
      description: 'The domain is in DNS. False as well when DNS could not be asked, which the reasons say.',
    }),
    hasWebsite: t.exposeBoolean('hasWebsite', { description: 'The domain has an address (A or AAAA).' }),
    hasMxRecords: t.exposeBoolean('hasMxRecords', { description: 'The domain names a mail server.' }),
    reasons: t.exposeStringList('reasons', {
      description: 'What was found, in sentences; one sentence when there is nothing to say against it.',
    }),
    suggestedEmail: t.exposeString('suggestedEmail', { nullable: true, description: 'What was probably meant; null unless it is a typo.' }),
  }),
})

const asked = inputOf('CheckEmailInput', EmailToCheck)

builder.queryField('checkEmail', (t) =>
  t.field({
    type: EmailCheck,
    description:
      'Checks form, MX records, disposable domains, forwarding services, personal providers and typos of an address, without writing to it; within 5 s. A look-up that failed gives false flags and a reason, and does not by itself make it invalid. Fails with VALIDATION_ERROR for what is no address at all.',
    args: asked.args(t),
    resolve: (_parent, args, ctx) => checkEmail(ctx, asked.read(args)),
  }),
)
