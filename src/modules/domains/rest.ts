import { route } from '../../kit/route.ts'
import { ById, Empty } from '../../kit/shapes.ts'
import { verifyDomain } from './dns/check.ts'
import { createDomain, deleteDomain, listDomains } from './domains.ts'
import { ByProjectId, Domain, DomainDraft, Domains } from './shapes.ts'

/** Sender domains: adding, verifying and deleting them. */
export const routes = [
  route('GET', '/domains/project/:projectId', 'secret', ByProjectId, Domains, listDomains, {
    summary: 'List the sender domains of the project',
  }),
  route('POST', '/domains', 'admin', DomainDraft, Domain, createDomain, {
    summary: 'Add a sender domain',
    description:
      'Returns the DNS records to set. They are checked every 5 minutes, and at once with `GET /domains/:id/verify`. A project can have at most 50 domains. Outside production, names under `.test` and `.localhost` are verified at once.',
    status: 201,
    errors: ['RESOURCE_NOT_FOUND', 'CONFLICT', 'LIMIT_REACHED', 'SERVICE_UNAVAILABLE'],
  }),
  route('GET', '/domains/:id/verify', 'secret', ById, Domain, verifyDomain, {
    summary: 'Check the DNS records of a domain now',
    description:
      'Returns within 5 s what was found of each record and what to change. A required record that is definitely missing makes the domain `PENDING` at once; queries that get no answer change nothing. The same check runs every 5 minutes in the background, where a domain stays `VERIFIED` until three checks in a row have missed a required record. As a write it is refused in a suspended project, and from pages of other sites.',
    changes: true,
    errors: ['RESOURCE_NOT_FOUND'],
  }),
  route('DELETE', '/domains/:id', 'admin', ById, Empty, deleteDomain, {
    summary: 'Delete a sender domain',
    description: 'Refused while templates send from it.',
    status: 204,
    errors: ['RESOURCE_NOT_FOUND', 'DOMAIN_IN_USE'],
  }),
]
