import { route } from '../../kit/route.ts'
import { EmailCheck, EmailToCheck } from './shapes.ts'
import { checkEmail } from './verification.ts'

/** The endpoint that checks an email address. */
export const routes = [
  route('POST', '/v1/verify', 'secret', EmailToCheck, EmailCheck, checkEmail, {
    summary: 'Check an email address',
    description:
      'Checks the format, MX records, disposable domains, forwarding services, personal providers and typos, without sending an email; responds within 5 seconds. If a DNS look-up fails, its flags are false and `reasons` says so, but that alone does not make `valid` false. A text that is not an email address is a 422.',
    wrap: true,
  }),
]
