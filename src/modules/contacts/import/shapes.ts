import { z } from 'zod'
import { maxListedErrors, RowError } from '../../../kit/csv/shapes.ts'
import { Flag } from '../../../kit/shapes.ts'
import { JobQueued, jobOf } from '../../jobs/shapes.ts'
import { ContactFieldType } from '../fields/shapes.ts'

/** How far a dry run sees what several rows give one contact, in sentences. */
export const dryRunLimits =
  'What rows give one contact is added up over the chunks of the file, for the last 10,000 contacts that were given data, and at most 2 MB of it as JSON: a row further down is compared only with the data that the contact has now. Of rows of one contact in one chunk that have no room together all are listed, of which the import may still take some.'

/** A CSV file to import. The entry point has read the form and ensured that it has a file. */
export const CsvForm = z.object({
  file: z.custom<{ bytes: Buffer }>(),
  dryRun: Flag.optional().describe(
    `Change nothing: answer at once what the import would do, with the type of each field and the first ${maxListedErrors} rows with an error. ${dryRunLimits}`,
  ),
})
/** A CSV file to import. */
export type CsvForm = z.output<typeof CsvForm>

const errors = z.array(RowError).describe(`The first ${maxListedErrors} rows with an error.`)
const errorsOmitted = z.number().int().describe('How many more rows have an error.')

/** What an import has done. */
export const ImportResult = z
  .object({
    totalRows: z.number().int().describe('Rows that were read, without the names of the columns and blank lines.'),
    successCount: z.number().int().describe('Rows that were imported.'),
    createdCount: z.number().int().describe('Contacts that were created.'),
    updatedCount: z.number().int().describe('Rows of contacts that existed, or that an earlier row created.'),
    failureCount: z.number().int().describe('Rows with an error, which changed nothing.'),
    errors,
    errorsOmitted,
  })
  .meta({ id: 'ImportResult' })
/** What an import has done. */
export type ImportResult = z.output<typeof ImportResult>

/** What an import would do. */
export const ImportPreview = z
  .object({
    rows: z.number().int().describe('Rows of the file, without the names of the columns and blank lines.'),
    new: z.number().int().describe('Contacts that would be created.'),
    existing: z.number().int().describe('Rows of contacts that exist, or that an earlier row would create.'),
    fields: z
      .array(
        z.object({
          name: z.string(),
          type: ContactFieldType.describe('The type of the field in the project, or of the first value.'),
          isNew: z.boolean().describe('Whether the project does not have the field yet.'),
        }),
      )
      .describe('The custom fields that have a value in at least one row.'),
    unsubscribing: z
      .number()
      .int()
      .describe('Rows whose `subscribed` is anything but true, 1 or yes: their contacts are created unsubscribed, or unsubscribed.'),
    ignoredColumns: z.array(z.string()).describe('Columns that are not imported: timestamps, and reserved keys of data; the first 100.'),
    errors,
    errorsOmitted,
  })
  .meta({ id: 'ImportPreview' })
/** What an import would do. */
export type ImportPreview = z.output<typeof ImportPreview>

/** An import as a job. */
export const ImportJob = jobOf(ImportResult).meta({ id: 'ImportJob' })

const Place = z.object({ offset: z.number().int(), lines: z.number().int() })

/** What the job of an import needs to know of its file; `start` is behind the names of the columns. */
export const ImportInput = z.object({
  delimiter: z.string(),
  columns: z.object({
    email: z.number().int(),
    subscribed: z.number().int().nullable(),
    fields: z.array(z.object({ at: z.number().int(), key: z.string() })),
    ignored: z.array(z.string()).optional(),
  }),
  start: Place,
  bytes: z.number().int(),
})

/** Where an import continues. */
export const ImportPlace = Place

/** The answer to an import: the job, or what a dry run found. */
export const ImportAnswer = z.union([JobQueued, ImportPreview]).meta({ id: 'ImportAnswer' })
