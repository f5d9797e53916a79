import { route } from '../../kit/route.ts'
import { ById, Empty } from '../../kit/shapes.ts'
import { verifyDomain } from './dns/check.ts'
import { createDomain, deleteDomain, listDomains } from './domains.ts'
import { ByProjectId, Domain, DomainDraft, Domains } from './shapes.ts'

/** Sender domains. */
export const routes = [
  route('GET', '/domains/project/:projectId', 'secret', ByProjectId, Domains, listDomains, {
    summary: 'List the sender domains of the project',
  }),
  route('POST', '/domains', 'admin', DomainDraft, Domain, createDomain, {
    summary: 'Add a sender domain',
    description:
      'Answers the DNS records to set; they are looked for every 5 minutes, or with `GET /domains/:id/verify`. At most 1,000 domains a project. Names under `.test` and `.localhost` are verified at once outside production.',
    status: 201,
    errors: ['CONFLICT'],
  }),
  route('GET', '/domains/:id/verify', 'secret', ById, Domain, verifyDomain, {
    summary: 'Look for the DNS records of a domain now',
    description:
      'Answers within 5 s what was found of each record and what to change. A required record that is definitely missing makes the domain `PENDING` at once; DNS that could not be asked changes nothing. The same check runs every 5 minutes in the background, where a verified domain stays so until three checks in a row have missed a required record.',
  }),
  route('DELETE', '/domains/:id', 'admin', ById, Empty, deleteDomain, {
    summary: 'Remove a sender domain',
    description: 'Refused while templates send from it.',
    status: 204,
    errors: ['CONFLICT'],
  }),
]
