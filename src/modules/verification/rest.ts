import { route } from '../../kit/route.ts'
import { EmailCheck, EmailToCheck } from './shapes.ts'
import { checkEmail } from './verification.ts'

/** Checking addresses. */
export const routes = [
  route('POST', '/v1/verify', 'secret', EmailToCheck, EmailCheck, checkEmail, {
    summary: 'Check an email address',
    description:
      'Checks form, MX records, disposable domains, forwarding services, personal providers and typos, without writing to the address; answers within 5 s. A look-up that failed gives false flags and a reason, and does not by itself make `valid` false. What is no address at all is a 422.',
    wrap: true,
  }),
]
