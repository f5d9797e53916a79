import { route } from '../../../kit/route.ts'
import { Domain, DomainChange } from '../../domains/shapes.ts'
import { updateDomain } from './warm-up.ts'

/** The endpoint that begins and ends the warm-up of a domain. */
export const routes = [
  route('PATCH', '/domains/:id', 'admin', DomainChange, Domain, updateDomain, {
    summary: 'Begin or end the warm-up of a sender domain',
    description:
      'While a domain is warmed up, at most so many emails leave from it per day (UTC): 50 on the first day, then 100, 500, 1,000, 5,000, 10,000, 20,000, 40,000, 70,000, 100,000 and 150,000, then 30 % more every day, up to 10 million, after which there is no limit. All emails count, in all processes together. Beyond the limit emails of campaigns and workflows wait until the next day and say so in their `reason`; transactional emails always leave.',
    errors: ['RESOURCE_NOT_FOUND'],
  }),
]
