import { builder, orNull } from '../../kit/builder.ts'
import { ById } from '../../kit/shapes.ts'
import { enumOf, inputOf } from '../../kit/zod-input.ts'
import { verifyDomain } from './dns/check.ts'
import { createDomain, deleteDomain, getDomain, listDomains } from './domains.ts'
import { DnsRecord as DnsRecordShape, DomainDraft, Domain as DomainShape } from './shapes.ts'

const Status = enumOf('DomainStatus', DomainShape.shape.status, 'Whether mail may be sent from a domain.', {
  PENDING: 'Not yet: a required DNS record has not been found.',
  VERIFIED: 'Mail may be sent from it.',
})
const RecordType = enumOf('DnsRecordType', DnsRecordShape.shape.type, 'The type of a DNS record.')
const Purpose = enumOf('DnsRecordPurpose', DnsRecordShape.shape.purpose, 'What a DNS record is for.', {
  DKIM: 'The key mail is signed with.',
  SPF: 'Who may send mail for the domain.',
  RETURN_PATH: 'Where bounces go.',
  DMARC: 'What receivers do with mail that fails.',
  TRACKING: 'Links of tracked mail under your own name.',
  INBOUND: 'Mail that comes in.',
})

const DnsRecord = builder.objectRef<DnsRecordShape>('DnsRecord').implement({
  description: 'A record to set in the DNS of a domain, and what was found of it.',
  fields: (t) => ({
    type: t.expose('type', { type: RecordType }),
    name: t.exposeString('name', { description: 'The full name of the record.' }),
    value: t.exposeString('value', { description: 'The value in one piece; of an MX its priority and host.' }),
    purpose: t.expose('purpose', { type: Purpose }),
    required: t.exposeBoolean('required', { description: 'Whether the domain stays PENDING without it.' }),
    status: t.expose('status', { type: Status, description: 'VERIFIED when it was found.' }),
    found: t.exposeBoolean('found', {
      description: 'Whether the last check that DNS answered found it; names that need no DNS count as found.',
    }),
    current: t.exposeStringList('current', {
      description: 'What DNS answered there, at most 10 values of 1,000 characters; of SPF and DMARC only records of that kind.',
    }),
    problem: t.exposeString('problem', { nullable: true, description: 'What is wrong and what to change; null when nothing is.' }),
  }),
})

/** A sender domain, as GraphQL shows it. */
export const Domain = builder.objectRef<DomainShape>('Domain')

builder.node(Domain, {
  description: 'A domain mail of the project may come from. Sub-domains are separate.',
  id: { resolve: ({ id }) => id, description: 'Opaque; starts with `dom_`.' },
  loadWithoutCache: (id, ctx) => orNull(getDomain(ctx, { id })),
  fields: (t) => ({
    domain: t.exposeString('domain', { description: 'The part after the @; lower-case, international names in punycode.' }),
    status: t.expose('status', { type: Status }),
    verified: t.exposeBoolean('verified', { description: 'The same as status VERIFIED.' }),
    records: t.field({ type: [DnsRecord], description: 'What to set in its DNS, and what was found.', resolve: ({ records }) => records }),
    checkedAt: t.expose('checkedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its records were last looked for; null before the first time.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
  }),
})

builder.queryFields((t) => ({
  domain: t.field({
    type: Domain,
    nullable: true,
    description: 'One domain; fails with RESOURCE_NOT_FOUND.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_parent, args, ctx) => getDomain(ctx, args),
  }),
  domains: t.field({
    type: [Domain],
    description: 'The domains of the project, newest first.',
    resolve: (_parent, _args, ctx) => listDomains(ctx, ctx),
  }),
}))

const draft = inputOf('CreateDomainInput', DomainDraft)
const one = inputOf('DomainInput', ById)

builder.mutationFields((t) => ({
  createDomain: t.field({
    type: Domain,
    description:
      'Adds a domain with a DKIM key of its own and answers the DNS records that prove it. Fails with CONFLICT when the project has it already, or has 1,000 domains, and with FORBIDDEN for who is no admin.',
    args: draft.args(t),
    access: 'admin',
    resolve: (_parent, args, ctx) => createDomain(ctx, draft.read(args)),
  }),
  verifyDomain: t.field({
    type: Domain,
    description:
      'Looks for the DNS records of a domain now, within 5 s. A required record that is definitely missing makes it PENDING at once; DNS that could not be asked changes nothing. The same check runs every 5 minutes in the background, where a verified domain stays so until three checks in a row have missed a required record. Fails with RESOURCE_NOT_FOUND.',
    args: one.args(t),
    resolve: (_parent, args, ctx) => verifyDomain(ctx, one.read(args)),
  }),
  deleteDomain: t.field({
    type: 'ID',
    description:
      'Removes a domain; nothing can be sent from it any more. Answers its id; fails with CONFLICT while templates send from it, and with FORBIDDEN for who is no admin.',
    args: one.args(t),
    access: 'admin',
    resolve: (_parent, args, ctx) => deleteDomain(ctx, one.read(args)).then(() => one.read(args).id),
  }),
}))
