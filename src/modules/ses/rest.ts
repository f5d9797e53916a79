import { receiver } from '../../kit/route.ts'
import { SnsHandled } from './shapes.ts'
import { receiveSnsMessage, verifySnsMessage } from './sns/receive.ts'

/** The receiver of Amazon SNS. */
export const routes = [
  receiver('/webhooks/sns', { signedIn: 'the body', verify: verifySnsMessage }, SnsHandled, receiveSnsMessage, {
    summary: 'Receive what Amazon SES reports',
    description:
      'Only Amazon SNS calls this, for the topics of SNS_TOPIC_ARNS; a subscription of one of them is confirmed by itself. The body must have a valid signature of Amazon and be at most one hour old, otherwise the response is 403. 200 means that it was handled, also when that was done before or it changes nothing. 404 for an email that is not known: Amazon then calls again; once the email is 15 minutes old the answer is 200. 503 when it could not be stored: Amazon calls again.',
    errors: ['FORBIDDEN', 'RESOURCE_NOT_FOUND', 'UNKNOWN_ROUTE', 'SERVICE_UNAVAILABLE'],
  }),
]
