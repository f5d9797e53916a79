import { builder } from '../../kit/builder.ts'
import { getInstallation } from '../system.ts'

const Provider = builder.enumType('OauthProvider', {
  description: 'A service that people can sign in with.',
  values: { GITHUB: { description: 'GitHub.' }, GOOGLE: { description: 'Google.' } } as const,
})

const Environment = builder.enumType('Environment', {
  description: 'What an installation is for.',
  values: {
    PRODUCTION: { value: 'production', description: 'Serving people.' },
    DEVELOPMENT: { value: 'development', description: 'Trying it, or working on it.' },
    TEST: { value: 'test', description: 'Automatic tests.' },
  } as const,
})

const Configuration = builder.objectRef<Awaited<ReturnType<typeof getInstallation>>>('Configuration').implement({
  description: 'What this installation has enabled, and its limits.',
  fields: (t) => ({
    environment: t.expose('environment', { type: Environment, description: 'What it is for.' }),
    apiUrl: t.exposeString('apiUrl', { description: 'Where the API is, without a slash at the end.' }),
    dashboardUrl: t.exposeString('dashboardUrl', {
      nullable: true,
      description: 'Where the dashboard is, if it is elsewhere; otherwise null.',
    }),
    billingEnabled: t.exposeBoolean('billingEnabled', {
      description: 'Whether there are subscriptions and invoices; where not, they fail with BILLING_DISABLED. Caps work without.',
    }),
    signupsEnabled: t.exposeBoolean('signupsEnabled', {
      description: 'Whether `signUp` accepts new accounts; where not, only people who are invited get one.',
    }),
    verificationRequired: t.exposeBoolean('verificationRequired', {
      description: 'Whether people must verify their address before they may do anything else (EMAIL_VERIFICATION_REQUIRED).',
    }),
    accountEmailsEnabled: t.exposeBoolean('accountEmailsEnabled', {
      description:
        'Whether the installation sends emails to its own users, such as links that verify an address or reset a password. Where not, invitations return their link.',
    }),
    oauthProviders: t.field({
      type: [Provider],
      description: 'The services that people can sign in with: a page that opens `/oauth/<provider>/outbound`, in lower case, begins it.',
      extensions: { maxItems: 2 },
      resolve: ({ oauthProviders }) => oauthProviders,
    }),
    maxAttachmentBytes: t.exposeInt('maxAttachmentBytes', { description: 'Decoded size of all attachments of one email, in bytes.' }),
    maxImageBytes: t.exposeInt('maxImageBytes', { description: 'Decoded size of a picture for `uploadImage`, in bytes.' }),
    maxImportBytes: t.exposeInt('maxImportBytes', {
      description: 'Decoded size of a CSV file for `importContacts` and `importSuppressions`, in bytes.',
    }),
  }),
})

builder.queryField('config', (t) =>
  t.field({
    type: Configuration,
    description: 'What this installation has enabled, and its limits; for anyone.',
    access: 'none',
    resolve: (_parent, _args, ctx) => getInstallation(ctx),
  }),
)
