import { route } from '../../kit/route.ts'
import { ById } from '../../kit/shapes.ts'
import { getProjectSecurity, getSecurity } from './security.ts'
import { Security } from './shapes.ts'

const description =
  'Rates are in percent of the mails sent; hard bounces only. Nothing is held against a project below 100 mails. A bounce rate of 10 % in 7 days (8 % in all, from 10 bounces on) or a complaint rate of 0.15 % (0.12 %, from 5 complaints on) is critical, and so are 25 bounces or 7 complaints in a day, 50 or 20 in 7 days, of a project younger than 30 days; half of that is warned of. What is critical suspends the project: it can be read, but every write is 403 PROJECT_DISABLED and no mail leaves.'

/** The reputation of a project. */
export const routes = [
  route('GET', '/users/@me/projects/:id/security', 'secret', ById, Security, getSecurity, {
    summary: 'Bounce and complaint rates, and recent suspensions',
    description,
  }),
  route('GET', '/projects/:id/security', 'secret', ById, Security, getProjectSecurity, {
    summary: 'Bounce and complaint rates, and recent suspensions',
    description: 'The same as GET /users/@me/projects/:id/security.',
  }),
]
