import { maxFileBytes } from '../../kit/csv/shapes.ts'
import { alsoWith, download, route } from '../../kit/route.ts'
import { Empty } from '../../kit/shapes.ts'
import { exportSuppressions } from './export.ts'
import { importSuppressions } from './import.ts'
import {
  BySuppressedEmail,
  SuppressionPage,
  SuppressionSearch,
  SuppressionsAdded,
  SuppressionsCsv,
  SuppressionsDraft,
  SuppressionsForm,
} from './shapes.ts'
import { deleteSuppression, listSuppressions, suppressAddresses } from './suppressions.ts'

/** The suppression list. */
export const routes = [
  alsoWith(
    route('GET', '/suppressions', 'secret', SuppressionSearch, SuppressionPage, listSuppressions, {
      summary: 'List the addresses that emails are withheld from',
      description:
        'Ordered by address. Deleted contacts that had opted out are not on the list: only a keyed hash of their address is kept. With `Accept: text/csv` it is a CSV file (RFC 4180) with all addresses, or all that match, streamed as fast as it is read; `limit` and `cursor` do not matter then.',
    }),
    download('/suppressions', 'secret', SuppressionSearch, SuppressionsCsv, exportSuppressions, {
      summary: 'Export the suppression list as CSV',
      file: 'text/csv',
    }),
  ),
  alsoWith(
    route('POST', '/suppressions', 'secret', SuppressionsDraft, SuppressionsAdded, suppressAddresses, {
      summary: 'Put addresses on the suppression list',
      description:
        'Emails that already wait to be sent are withheld as well. Contacts stay as they are. Instead of JSON it takes the first file of a multipart form: CSV of at most 5 MB as POST /contacts/import takes it, with the column `email` and, if you like, `reason`; other columns are ignored. A row with an error is skipped and listed in the answer.',
    }),
    route('POST', '/suppressions', 'secret', SuppressionsForm, SuppressionsAdded, importSuppressions, {
      summary: 'Put the addresses of a CSV file on the suppression list',
      maxFileBytes,
    }),
  ),
  route('DELETE', '/suppressions/:email', 'secret', BySuppressedEmail, Empty, deleteSuppression, {
    summary: 'Take an address off the suppression list',
    description: 'Also forgets that the deleted contact of the address had opted out.',
    status: 204,
    errors: ['RESOURCE_NOT_FOUND'],
  }),
]
