import { route } from '../../kit/route.ts'
import { sendEmail } from './send.ts'
import { EventDraft, EventTracked, SendDraft, SendResult, TrackDraft, TrackResult } from './shapes.ts'
import { recordEvent, trackEvent } from './track.ts'

const fortyMegabytes = 40 * 1024 * 1024

/** The public API, and its alias for dashboards (interface.md, POST /v1/send, POST /v1/track). */
export const routes = [
  route('POST', '/v1/send', 'secret', SendDraft, SendResult, sendEmail, {
    summary: 'Send a transactional mail',
    wrap: true,
    idempotent: true,
    bodyLimit: fortyMegabytes,
    errors: [
      'DOMAIN_NOT_VERIFIED',
      'PROJECT_DISABLED',
      'BILLING_LIMIT_EXCEEDED',
      'TEMPLATE_NOT_FOUND',
      'IDEMPOTENCY_KEY_IN_PROGRESS',
      'IDEMPOTENCY_KEY_MISMATCH',
    ],
  }),
  route('POST', '/v1/track', 'public', TrackDraft, TrackResult, trackEvent, {
    summary: 'Record an event of a contact',
    wrap: true,
    idempotent: true,
    errors: ['PROJECT_DISABLED', 'IDEMPOTENCY_KEY_IN_PROGRESS', 'IDEMPOTENCY_KEY_MISMATCH'],
  }),
  route('POST', '/events/track', 'secret', EventDraft, EventTracked, recordEvent, {
    summary: 'Record an event, as /v1/track does or by contact id',
    status: { of: (answer) => ('success' in answer ? 200 : 201), all: [200, 201] },
    idempotent: true,
    errors: ['CONTACT_NOT_FOUND', 'PROJECT_DISABLED'],
  }),
]
