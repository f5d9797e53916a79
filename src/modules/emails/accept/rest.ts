import { route } from '../../../kit/route.ts'
import { sendEmail } from './send.ts'
import { SendDraft, SendResult } from './shapes.ts'

const fortyMegabytes = 40 * 1024 * 1024

/** The endpoint that sends email. */
export const routes = [
  route('POST', '/v1/send', 'secret', SendDraft, SendResult, sendEmail, {
    summary: 'Send a transactional email',
    wrap: true,
    idempotent: true,
    bodyLimit: fortyMegabytes,
    errors: ['DOMAIN_NOT_VERIFIED', 'BILLING_LIMIT_EXCEEDED', 'TEMPLATE_NOT_FOUND'],
  }),
]
