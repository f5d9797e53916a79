import { z } from 'zod'
import { Base64 } from '../shapes.ts'

/** A row of a file that was refused. */
export const RowError = z.object({
  row: z.number().int().describe('The line of the file on which the row begins; the names of the columns are on line 1.'),
  email: z.string().describe('The cell with the address, as it is; empty once the contact of the address has been deleted.'),
  error: z.string().describe('Why the row was not imported, in a sentence.'),
})
/** A row of a file that was refused. */
export type RowError = z.output<typeof RowError>

/** Row errors that are listed; more are only counted. */
export const maxListedErrors = 100

/** Maximum number of bytes of a file. */
export const maxFileBytes = 5 * 1024 * 1024

/** A CSV file in base64, for entry points without forms. */
export const CsvText = z.object({
  content: Base64.transform((text) => Buffer.from(text, 'base64')).describe('The CSV file in base64 (RFC 4648, 4), at most 5 MB decoded.'),
})
