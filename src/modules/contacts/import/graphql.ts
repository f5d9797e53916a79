import { builder, payloadOf } from '../../../kit/builder.ts'
import { CsvText, maxListedErrors } from '../../../kit/csv/shapes.ts'
import { rememberFields } from '../../../kit/graphql-names.ts'
import { read } from '../../../kit/problems.ts'
import { reservedText } from '../../../kit/shapes.ts'
import { argumentsOf, enumMadeOf, graphqlInput } from '../../../kit/zod-input.ts'
import { findJob } from '../../jobs/job.ts'
import { type JobQueued, resultOf } from '../../jobs/shapes.ts'
import { ignoredNames } from '../csv/columns.ts'
import { ContactFieldType } from '../fields/shapes.ts'
import { checkImport, importContacts } from './import.ts'
import { dryRunLimits, type ImportPreview, ImportResult } from './shapes.ts'

const RowError = builder.objectRef<ImportResult['errors'][number]>('ImportRowError').implement({
  description: 'A row of a file that was not imported.',
  fields: (t) => ({
    row: t.exposeInt('row', { description: 'The line on which the row begins; the names of the columns are on line 1.' }),
    email: t.exposeString('email', {
      description: 'The cell with the address, as it is; empty once the contact of the address has been deleted.',
    }),
    error: t.exposeString('error', { description: 'Why it was not imported, in a sentence.' }),
  }),
})

const Result = builder.objectRef<ImportResult>('ImportResult').implement({
  description: 'What an import has done.',
  fields: (t) => ({
    totalRows: t.exposeInt('totalRows', { description: 'Rows that were read, without the names of the columns and blank lines.' }),
    successCount: t.exposeInt('successCount', { description: 'Rows that were imported.' }),
    createdCount: t.exposeInt('createdCount', { description: 'Contacts that were created.' }),
    updatedCount: t.exposeInt('updatedCount', { description: 'Rows of contacts that existed, or that an earlier row created.' }),
    failureCount: t.exposeInt('failureCount', { description: 'Rows with an error, which changed nothing.' }),
    errors: t.expose('errors', {
      type: [RowError],
      extensions: { maxItems: maxListedErrors },
      description: `The first ${maxListedErrors} rows with an error.`,
    }),
    errorsOmitted: t.exposeInt('errorsOmitted', { description: 'How many more rows have an error.' }),
  }),
})

builder.prismaObjectField('Job', 'importResult', (t) =>
  t.field({
    type: Result,
    nullable: true,
    description: 'What an import has done; null until it has ended, and for other jobs.',
    select: { kind: true, finishedAt: true, result: true },
    resolve: (job) => resultOf(job, 'import', ImportResult),
  }),
)

const FoundField = builder.objectRef<ImportPreview['fields'][number]>('ImportedField').implement({
  description: 'A custom field that a file has.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its key in the data of contacts, without `data.`.' }),
    type: t.field({
      type: enumMadeOf(ContactFieldType),
      description: 'Its type in the project, or that of its first value in the file.',
      resolve: ({ type }) => type,
    }),
    isNew: t.exposeBoolean('isNew', { description: 'Whether the project does not have it yet.' }),
  }),
})

const Preview = builder.objectRef<ImportPreview>('ImportPreview').implement({
  description: 'What an import would do.',
  fields: (t) => ({
    rows: t.exposeInt('rows', { description: 'Rows of the file, without the names of the columns and blank lines.' }),
    new: t.exposeInt('new', { description: 'Contacts that would be created.' }),
    existing: t.exposeInt('existing', { description: 'Rows of contacts that exist, or that an earlier row would create.' }),
    fields: t.expose('fields', {
      type: [FoundField],
      // Read from the file with everything else.
      extensions: { maxItems: 2_100, cost: 0.05 },
      description: 'The custom fields that have a value in at least one row, at most 2,100: as many as a file may have columns.',
    }),
    unsubscribing: t.exposeInt('unsubscribing', {
      description: 'Rows whose `subscribed` is anything but true, 1 or yes: their contacts are created unsubscribed, or unsubscribed.',
    }),
    ignoredColumns: t.exposeStringList('ignoredColumns', {
      description: 'Columns that are not imported: timestamps, and reserved keys of data; the first 100.',
      extensions: { maxItems: 100 },
    }),
    errors: t.expose('errors', {
      type: [RowError],
      extensions: { maxItems: maxListedErrors, cost: 0.2 },
      description: `The first ${maxListedErrors} rows with an error.`,
    }),
    errorsOmitted: t.exposeInt('errorsOmitted', { description: 'How many more rows have an error.' }),
  }),
})

const form = `CSV of at most 5 MB in UTF-8 or UTF-16, separated by commas, semicolons or tabs, with the names of the columns in the first row: \`email\` is required, \`subscribed\` (true, 1, yes; anything else but an empty cell unsubscribes, and counts as an opt-out) never subscribes anyone who opted out or is on the suppression list, ${ignoredNames} and the reserved keys ${reservedText} are ignored, and every other column is custom data.`
const failures =
  'Fails with PAYLOAD_TOO_LARGE above 5 MB, and with VALIDATION_ERROR for a file that is empty, has no column `email`, has more than 1,000,000 rows or cannot be read'

builder.queryField('checkImport', (t) =>
  t.field({
    extensions: { cost: 2_000, waits: true },
    type: Preview,
    description: `What an import of a file would do, by the rules of the import; nothing is changed. ${dryRunLimits} ${form} ${failures}, and with SERVICE_UNAVAILABLE when its turn has not come after 15 s: of one person or project one file is checked at a time. Costs 2,000.`,
    args: argumentsOf(t, CsvText),
    resolve: (_parent, args, ctx) => checkImport(ctx, { file: { bytes: read(CsvText, args).content } }),
  }),
)

const file = graphqlInput('ImportContactsInput', CsvText, { alsoNamed: { file: 'content' } })
rememberFields('CheckImportInput', { file: 'content' })
const ImportContactsPayload = payloadOf<JobQueued>('ImportContactsPayload', (t) => ({
  job: t.prismaField({
    type: 'Job',
    nullable: true,
    description: 'The job that does it, to be watched with `jobProgress`; null when it was removed since.',
    resolve: (query, { jobId }, _args, ctx) => findJob(ctx, { id: jobId }, query),
  }),
  jobId: t.exposeID('jobId', { description: 'Id of the job.' }),
}))

builder.mutationField('importContacts', (t) =>
  t.field({
    extensions: { cost: 100 },
    type: ImportContactsPayload,
    description: `Imports contacts in the background: a row creates a contact, or merges its data into the contact of its address. ${form} A row with an error is skipped and listed in \`Job.importResult\`. ${failures}, and with LIMIT_REACHED while 20 jobs of the project wait or run. \`POST /contacts/import\` takes the file as a form; \`GET /contacts/export\` streams one.`,
    args: file.args(t),
    resolve: (_parent, args, ctx) => importContacts(ctx, { file: { bytes: file.read(args).content } }),
  }),
)
