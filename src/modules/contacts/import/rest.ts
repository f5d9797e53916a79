import { maxFileBytes } from '../../../kit/csv/shapes.ts'
import { route } from '../../../kit/route.ts'
import { reservedText } from '../../../kit/shapes.ts'
import { ByJobId } from '../../jobs/shapes.ts'
import { ignoredNames } from '../csv/columns.ts'
import { cancelImport, getImport, importContacts } from './import.ts'
import { CsvForm, ImportAnswer, ImportJob } from './shapes.ts'

/** The endpoints that import contacts. */
export const routes = [
  route('POST', '/contacts/import', 'secret', CsvForm, ImportAnswer, importContacts, {
    summary: 'Import contacts from a CSV file',
    description: `Takes the first file of a multipart form: CSV of at most 5 MB and 1,000,000 rows in UTF-8 or UTF-16, separated by commas, semicolons or tabs, with the names of the columns in the first row. \`email\` is required; \`subscribed\` (true, 1, yes; anything else but an empty cell unsubscribes, and counts as an opt-out) is optional and never subscribes anyone who opted out or is on the suppression list; ${ignoredNames} and the reserved keys ${reservedText} are ignored; every other column is custom data under its name, in upper and lower case as it is. Numbers, booleans and JSON objects and lists are stored as such, dates as text; empty cells are ignored. Where a cell would be read as a number, a boolean or JSON, begins like a formula (\`=\`, \`+\`, \`-\`, \`@\`) or has spaces around it, an apostrophe before it is taken away and makes it text as it is; before any other cell it is part of the text. A column \`__proto__\` is refused. Of several rows with the same address later ones win, but none subscribes whom an earlier one unsubscribed. A row with an error is skipped and listed in the result. The job is done in chunks of at most 1,000 rows.`,
    status: { of: (answer) => ('jobId' in answer ? 202 : 200), all: [202, 200] },
    maxFileBytes,
    errors: ['LIMIT_REACHED'],
  }),
  route('GET', '/contacts/import/:jobId', 'secret', ByJobId, ImportJob, getImport, {
    summary: 'Get an import',
    errors: ['RESOURCE_NOT_FOUND'],
  }),
  route('DELETE', '/contacts/import/:jobId', 'secret', ByJobId, ImportJob, cancelImport, {
    summary: 'Cancel an import',
    description: 'Nothing more is imported after the answer; rows that were imported stay. Also works while the project is suspended.',
    whileSuspended: true,
    errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
  }),
]
