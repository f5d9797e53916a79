import { builder } from '../../../kit/builder.ts'
import { maxListedErrors } from '../../../kit/csv/shapes.ts'
import { resultOf } from '../../jobs/shapes.ts'
import { ImportResult } from './shapes.ts'

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
