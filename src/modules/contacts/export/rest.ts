import { download } from '../../../kit/route.ts'
import { ById } from '../../../kit/shapes.ts'
import { exportContacts, standardColumns } from './export.ts'
import { exportContact } from './person.ts'
import { ContactsCsv, ExportSearch, PersonExport } from './shapes.ts'

/** The endpoints that export contacts. */
export const routes = [
  download('/contacts/export', 'secret', ExportSearch, ContactsCsv, exportContacts, {
    summary: 'Export contacts as CSV',
    description: `A CSV file in UTF-8 (RFC 4180) of all contacts or those that match, oldest first, with the columns ${standardColumns.map((name) => `\`${name}\``).join(', ')} and one for every custom field. It is streamed as fast as it is read. Text that a spreadsheet would run as a formula, or that an import would read as something else, has an apostrophe before it: imported again, the file gives the same data, and who is not subscribed counts as opted out. When a segment, a field or an event that says which contacts are meant is deleted, the call fails with 422, or the file breaks off where its beginning was sent already. A parameter that is not known is refused, because without it other contacts would be exported.`,
    file: 'text/csv',
    errors: ['SEGMENT_NOT_FOUND', 'VALIDATION_ERROR'],
  }),
  download('/contacts/:id/export', 'secret', ById, PersonExport, exportContact, {
    summary: 'Export what is stored about a contact as JSON',
    description:
      'Data, the suppression of the address, the subscription with its history, events, and emails without their text, for a person who asks what is stored about them. Which segments the contact is in, and its executions of workflows, are in GraphQL (`Contact.segments`, `Contact.executions`).',
    file: 'application/json',
    errors: ['CONTACT_NOT_FOUND'],
  }),
]
