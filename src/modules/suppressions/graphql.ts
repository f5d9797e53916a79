import { builder, payloadOf } from '../../kit/builder.ts'
import { maxListedErrors, type RowError } from '../../kit/csv/shapes.ts'
import { enumOf, filterOf, graphqlInput, readArguments } from '../../kit/zod-input.ts'
import { importSuppressions } from './import.ts'
import {
  BySuppressedEmail,
  SuppressionFilter,
  SuppressionReason,
  type Suppression as SuppressionShape,
  SuppressionSource,
  type SuppressionsAdded,
  SuppressionsDraft,
  SuppressionsText,
} from './shapes.ts'
import {
  connectSuppressions,
  deleteSuppression,
  findSuppression,
  findSuppressionOf,
  findSuppressions,
  suppressAddresses,
} from './suppressions.ts'

const Reason = enumOf('SuppressionReason', SuppressionReason, 'Why an address is on the suppression list, from weak to strong.', {
  UNSUBSCRIBED: 'It opted out: marketing emails are withheld.',
  MANUAL: 'It was put there: every email is withheld.',
  BOUNCE: 'An email to it bounced: every email is withheld.',
  COMPLAINT: 'Its owner reported an email as spam: every email is withheld.',
})
const Source = enumOf('SuppressionSource', SuppressionSource, 'What put an address on the suppression list.', {
  DELIVERY: 'What became of an email to it.',
  API: 'A call.',
  IMPORT: 'A file.',
})

const Suppression = builder.objectRef<SuppressionShape>('Suppression')

Suppression.implement({
  description: 'An address that emails are withheld from.',
  fields: (t) => ({
    email: t.exposeString('email', { description: 'The address, lower-cased.' }),
    reason: t.expose('reason', { type: Reason, description: 'Why it is on the list.' }),
    source: t.expose('source', { type: Source, description: 'What put it on the list.' }),
    emailId: t.exposeID('emailId', {
      nullable: true,
      description: 'Id of the email that bounced or was reported, also once it has been deleted; null for none.',
    }),
    since: t.expose('since', { type: 'DateTime', description: 'Since when it is on the list.' }),
  }),
})

const SuppressionConnection = builder.connectionObject(
  { type: Suppression, name: 'SuppressionConnection', description: 'Suppressions, by address.' },
  { name: 'SuppressionEdge' },
)

builder.prismaObjectField('Contact', 'suppression', (t) =>
  t.field({
    type: Suppression,
    nullable: true,
    description: 'Why emails to the address are withheld; null when it is not on the suppression list.',
    resolve: ({ email }, _args, ctx) => findSuppression(ctx, { id: email }, {}),
  }),
)

const filter = filterOf('SuppressionFilter', SuppressionFilter, 'Which suppressions a list holds: all conditions apply.')

builder.queryField('suppression', (t) =>
  t.field({
    type: Suppression,
    nullable: true,
    description: 'Why emails to an address are withheld; null when it is not on the suppression list.',
    args: { email: t.arg.string({ required: true, description: 'The address, in any spelling.' }) },
    resolve: (_parent, args, ctx) => findSuppressionOf(ctx, readArguments(BySuppressedEmail, args)),
  }),
)

builder.queryField('suppressions', (t) =>
  t.connection(
    {
      type: Suppression,
      description:
        'The addresses that emails are withheld from, by address. `GET /suppressions` with `Accept: text/csv` streams all of them as CSV.',
      args: filter.args(t),
      resolve: (_parent, args, ctx) => connectSuppressions(ctx, filter.read(args), args),
    },
    SuppressionConnection,
  ),
)

const draft = graphqlInput('SuppressAddressesInput', SuppressionsDraft)
const file = graphqlInput('ImportSuppressionsInput', SuppressionsText, { alsoNamed: { file: 'content' } })
const deletion = graphqlInput('DeleteSuppressionInput', BySuppressedEmail)

const SuppressAddressesPayload = payloadOf<{ added: number; alreadyThere: number; emails: string[] }>('SuppressAddressesPayload', (t) => ({
  suppressions: t.field({
    type: [Suppression],
    // Read in one statement; so that all of them may be asked beside the mutation, which waits.
    extensions: { maxItems: 1_000, cost: 0.2 },
    description: 'The addresses as they are on the list now, in the order in which they were given, each once.',
    resolve: ({ emails }, _args, ctx) => findSuppressions(ctx, { emails }),
  }),
  added: t.exposeInt('added', { description: 'Addresses that were not on the list.' }),
  alreadyThere: t.exposeInt('alreadyThere', { description: 'Addresses that were, for this or another reason.' }),
}))
const ImportSuppressionsPayload = payloadOf<SuppressionsAdded>('ImportSuppressionsPayload', (t) => ({
  added: t.exposeInt('added', { description: 'Addresses that were not on the list.' }),
  alreadyThere: t.exposeInt('alreadyThere', {
    description: 'Addresses that were, for this or another reason, or that an earlier row added.',
  }),
  errors: t.field({
    // Made by the import of contacts, which reads such files as well.
    type: ['ImportRowError'],
    extensions: { maxItems: maxListedErrors },
    description: `The first ${maxListedErrors} rows with an error, which changed nothing.`,
    resolve: ({ errors }): RowError[] => errors ?? [],
  }),
  errorsOmitted: t.int({ description: 'How many more rows have an error.', resolve: ({ errorsOmitted }) => errorsOmitted ?? 0 }),
}))
const DeleteSuppressionPayload = payloadOf<{ email: string }>('DeleteSuppressionPayload', (t) => ({
  deletedEmail: t.exposeString('email', { description: 'The address that was taken off the list, as it was given.' }),
}))

builder.mutationFields((t) => ({
  suppressAddresses: t.field({
    extensions: { waits: true },
    type: SuppressAddressesPayload,
    description: 'Puts addresses on the suppression list; a stronger reason replaces a weaker one.',
    args: draft.args(t),
    resolve: async (_parent, args, ctx) => {
      const addresses = draft.read(args)
      return { ...(await suppressAddresses(ctx, addresses)), emails: addresses.emails }
    },
  }),
  importSuppressions: t.field({
    extensions: { cost: 500, waits: true },
    type: ImportSuppressionsPayload,
    description:
      'Puts the addresses of a file on the suppression list: CSV of at most 5 MB as `importContacts` takes it, with the column `email` and, if you like, `reason`; other columns are ignored. A stronger reason replaces a weaker one. Fails with PAYLOAD_TOO_LARGE above 5 MB, and with VALIDATION_ERROR, with nothing written, for a file that is empty, has no column `email`, has more than 1,000,000 rows or cannot be read.',
    args: file.args(t),
    resolve: (_parent, args, ctx) => {
      const { content, reason } = file.read(args)
      return importSuppressions(ctx, { file: { bytes: content }, reason })
    },
  }),
  deleteSuppression: t.field({
    type: DeleteSuppressionPayload,
    description:
      'Takes an address off the suppression list, and forgets that the deleted contact of it had opted out. Fails with RESOURCE_NOT_FOUND.',
    args: deletion.args(t),
    resolve: async (_parent, args, ctx) => {
      const { email } = deletion.read(args)
      await deleteSuppression(ctx, { email })
      return { email }
    },
  }),
}))
