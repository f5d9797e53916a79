import { route } from '../../kit/route.ts'
import { ById, Empty } from '../../kit/shapes.ts'
import { createDomain, deleteDomain, listDomains } from './domains.ts'
import { ByProjectId, Domain, DomainDraft, Domains } from './shapes.ts'

/** Sender domains (interface.md, Domains). */
export const routes = [
  route('GET', '/domains/project/:projectId', 'secret', ByProjectId, Domains, listDomains, {
    summary: 'List the sender domains of the project',
  }),
  route('POST', '/domains', 'admin', DomainDraft, Domain, createDomain, {
    summary: 'Add a sender domain',
    description: 'Answers the DNS records to set. Names under `.test` and `.localhost` are verified at once outside production.',
    status: 201,
    errors: ['CONFLICT'],
  }),
  route('DELETE', '/domains/:id', 'admin', ById, Empty, deleteDomain, {
    summary: 'Remove a sender domain',
    description: 'Refused while templates send from it.',
    status: 204,
    errors: ['CONFLICT'],
  }),
]
