import { route } from '../../kit/route.ts'
import { ById } from '../../kit/shapes.ts'
import { cancelWaitingEmail } from './cancel.ts'
import { getEmailWithEvents, listEmails } from './emails.ts'
import { Email, EmailPage, EmailSearch, EmailWithEvents } from './shapes.ts'

/** The endpoints of emails. */
export const routes = [
  route('GET', '/emails', 'secret', EmailSearch, EmailPage, listEmails, { summary: 'List emails, newest first' }),
  route('GET', '/emails/:id', 'secret', ById, EmailWithEvents, getEmailWithEvents, {
    summary: 'Get an email with its timeline',
    errors: ['RESOURCE_NOT_FOUND'],
  }),
  route('POST', '/emails/:id/cancel', 'secret', ById, Email, cancelWaitingEmail, {
    summary: 'Cancel an email that waits to be sent',
    description: 'It does not leave after the answer. Once it is with the mail server it cannot be cancelled.',
    errors: ['RESOURCE_NOT_FOUND', 'CONFLICT'],
  }),
]
