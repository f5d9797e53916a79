import { download } from '../../../kit/route.ts'
import { ById } from '../../../kit/shapes.ts'
import { EmailMessageFile } from './shapes.ts'
import { getEmailSource } from './source.ts'

/** The endpoint of the message of an email. */
export const routes = [
  download('/emails/:id/source', 'secret', ById, EmailMessageFile, getEmailSource, {
    summary: 'Get the message of an email',
    description:
      'The message (RFC 5322) with its Message-ID. What the capture transport has stored is answered octet by octet, with the links of the recipient. Otherwise the octets are not stored: the message is rendered again from the content as it was accepted and the data that the contact has now, composed and signed as it is for sending, also when the email has not left yet or never will. The header `X-Postwire-Source` says which it is: `captured` or `rendered`. In a rendered message nobody acts for the recipient: tracked links lead to their targets, but neither they nor the pixel are counted, and the links to unsubscribe and to preferences change nothing. Reading a message is never counted as an open. An email that came in, whose content was removed because of its age, or that cannot be rendered is answered with 409 and the reason.',
    file: 'message/rfc822',
    errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
  }),
]
