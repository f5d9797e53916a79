import { route } from '../../kit/route.ts'
import { Empty } from '../../kit/shapes.ts'
import { BySuppressedEmail, SuppressionPage, SuppressionSearch, SuppressionsAdded, SuppressionsDraft } from './shapes.ts'
import { deleteSuppression, listSuppressions, suppressAddresses } from './suppressions.ts'

/** The suppression list. */
export const routes = [
  route('GET', '/suppressions', 'secret', SuppressionSearch, SuppressionPage, listSuppressions, {
    summary: 'List the addresses that emails are withheld from',
    description: 'Ordered by address. Deleted contacts that had opted out are not on the list: only a keyed hash of their address is kept.',
  }),
  route('POST', '/suppressions', 'secret', SuppressionsDraft, SuppressionsAdded, suppressAddresses, {
    summary: 'Put addresses on the suppression list',
    description: 'Emails that already wait to be sent are withheld as well. Contacts stay as they are.',
  }),
  route('DELETE', '/suppressions/:email', 'secret', BySuppressedEmail, Empty, deleteSuppression, {
    summary: 'Take an address off the suppression list',
    description: 'Also forgets that the deleted contact of the address had opted out.',
    status: 204,
    errors: ['RESOURCE_NOT_FOUND'],
  }),
]
