import { route } from '../../kit/route.ts'
import { ById } from '../../kit/shapes.ts'
import { getSecurity } from './security.ts'
import { Security } from './shapes.ts'

const description =
  'Rates are in percent of the emails sent; only hard bounces count. A project is judged from 100 emails on. Critical are a bounce rate of 10 % in 7 days or 8 % in total (with at least 10 bounces), and a complaint rate of 0.15 % in 7 days or 0.12 % in total (with at least 5 complaints). For a project younger than 30 days, 25 bounces or 7 complaints in 24 hours and 50 bounces or 20 complaints in 7 days are critical too. Warnings begin at lower values, which each sentence names. A critical project is suspended: it can be read, but every write fails with 403 PROJECT_DISABLED, and no emails are sent.'

/** The endpoints that show the reputation and the suspensions of a project. */
export const routes = [
  route('GET', '/users/@me/projects/:id/security', 'secret', ById, Security, getSecurity, {
    summary: 'Get bounce and complaint rates, and recent suspensions',
    description,
  }),
  route('GET', '/projects/:id/security', 'secret', ById, Security, getSecurity, {
    operationId: 'getProjectSecurity',
    summary: 'Get bounce and complaint rates, and recent suspensions',
    description: 'The same as GET /users/@me/projects/:id/security.',
  }),
]
