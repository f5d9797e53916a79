import { builder, orNull, payloadOf } from '../../kit/builder.ts'
import { ById } from '../../kit/shapes.ts'
import { enumOf, graphqlInput } from '../../kit/zod-input.ts'
import { verifyDomain } from './dns/check.ts'
import { connectDomains, createDomain, deleteDomain, getDomain } from './domains.ts'
import { DnsRecord as DnsRecordShape, DomainDraft, Domain as DomainShape, type WarmUp as WarmUpShape } from './shapes.ts'
import { findDomainUses } from './usage.ts'

const Status = enumOf('DomainStatus', DomainShape.shape.status, 'Whether email may be sent from a domain.', {
  PENDING: 'Not yet: a required DNS record has not been found.',
  VERIFIED: 'Email may be sent from it.',
})
const RecordType = enumOf('DnsRecordType', DnsRecordShape.shape.type, 'The type of a DNS record.', {
  TXT: 'Text, such as a key or a policy.',
  CNAME: 'Another name for a host.',
  MX: 'The host that takes email for a domain.',
})
const Purpose = enumOf('DnsRecordPurpose', DnsRecordShape.shape.purpose, 'What a DNS record is for.', {
  DKIM: 'The key email is signed with.',
  SPF: 'Who may send email for the domain.',
  RETURN_PATH: 'Where bounces go.',
  DMARC: 'What receivers do with email that fails.',
  TRACKING: 'Links of tracked email under your own name.',
  INBOUND: 'Email that comes in.',
})

const DnsRecord = builder.objectRef<DnsRecordShape>('DnsRecord').implement({
  description: 'A record to set in the DNS of a domain, and what was found of it.',
  fields: (t) => ({
    type: t.expose('type', { type: RecordType, description: 'The type of the record to set.' }),
    name: t.exposeString('name', { description: 'The full name of the record.' }),
    value: t.exposeString('value', { description: 'The value in one piece; of an MX its priority and host.' }),
    purpose: t.expose('purpose', { type: Purpose, description: 'What the record is for.' }),
    required: t.exposeBoolean('required', { description: 'Whether the domain stays PENDING without it.' }),
    status: t.expose('status', {
      type: Status,
      description: 'VERIFIED when the last check that DNS answered found it, and for names that need no DNS.',
    }),
    current: t.exposeStringList('current', {
      description: 'What DNS answered there, at most 10 values of 1,000 characters; of SPF and DMARC only records of that kind.',
    }),
    problem: t.exposeString('problem', { nullable: true, description: 'What is wrong and what to change; null when nothing is.' }),
  }),
})

const WarmUp = builder.objectRef<WarmUpShape>('DomainWarmUp').implement({
  description: 'How far the warm-up of a domain is: a ceiling per day (UTC) that grows from day to day.',
  fields: (t) => ({
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When it began.' }),
    day: t.exposeInt('day', { description: 'Its day, from 1.' }),
    limitToday: t.exposeInt('limitToday', {
      nullable: true,
      description: 'How many emails may leave today; null once the last day of the table is over: then there is no limit any more.',
    }),
    sentToday: t.exposeInt('sentToday', { description: 'How many have left today, with transactional ones, which are never held up.' }),
    waiting: t.exposeInt('waiting', {
      description: 'How many emails of campaigns and workflows wait for another day, counted up to 100,000.',
    }),
  }),
})

const Usage = builder.objectType('DomainUsage', {
  description: 'What sends from a domain.',
  fields: (t) => ({
    canDelete: t.exposeBoolean('canDelete', {
      description:
        'Whether it can be deleted now; false while templates, or campaigns that are scheduled or being sent, send from it (DOMAIN_IN_USE).',
    }),
  }),
})

/** A sender domain, as GraphQL shows it. */
export const Domain = builder.objectRef<DomainShape>('Domain')

builder.node(Domain, {
  description: 'A domain from which the project can send. Sub-domains are separate.',
  id: { resolve: ({ id }) => id, description: 'Opaque; starts with `dom_`.' },
  loadWithoutCache: (id, ctx) => orNull(getDomain(ctx, { id })),
  fields: (t) => ({
    domain: t.exposeString('domain', { description: 'The part after the @; lower-case, international names in punycode.' }),
    status: t.expose('status', { type: Status, description: 'Whether email may be sent from it.' }),
    records: t.field({ type: [DnsRecord], description: 'What to set in its DNS, and what was found.', resolve: ({ records }) => records }),
    checkedAt: t.expose('checkedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its records were last checked; null before the first check.',
    }),
    warmUp: t.expose('warmUp', { type: WarmUp, nullable: true, description: 'How far its warm-up is; null when it has none.' }),
    usage: t.field({
      type: Usage,
      description: 'What sends from it: look here before `deleteDomain`.',
      resolve: ({ domain }, _args, ctx) => findDomainUses(ctx, { domain }),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added to the project.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
})

const DomainConnection = builder.connectionObject(
  { type: Domain, name: 'DomainConnection', description: 'Domains, newest first.' },
  { name: 'DomainEdge' },
)

builder.queryFields((t) => ({
  domain: t.field({
    type: Domain,
    nullable: true,
    description: 'One domain; fails with RESOURCE_NOT_FOUND.',
    args: { id: t.arg.id({ required: true, description: 'Id of the domain.' }) },
    resolve: (_parent, args, ctx) => getDomain(ctx, args),
  }),
  domains: t.connection(
    {
      type: Domain,
      description: 'The domains of the project, newest first; at most 50.',
      resolve: (_parent, args, ctx) => connectDomains(ctx, args),
    },
    DomainConnection,
  ),
}))

const draft = graphqlInput('CreateDomainInput', DomainDraft)
const verification = graphqlInput('VerifyDomainInput', ById)
const deletion = graphqlInput('DeleteDomainInput', ById)

const CreateDomainPayload = payloadOf<{ domain: DomainShape }>('CreateDomainPayload', (t) => ({
  domain: t.expose('domain', { type: Domain, description: 'The new domain, with the DNS records to set.' }),
}))
const VerifyDomainPayload = payloadOf<{ domain: DomainShape }>('VerifyDomainPayload', (t) => ({
  domain: t.expose('domain', { type: Domain, description: 'The domain, with what was found of its DNS records.' }),
}))
const DeleteDomainPayload = payloadOf<{ id: string }>('DeleteDomainPayload', (t) => ({
  deletedDomainId: t.exposeID('id', { description: 'Id of the domain that was deleted.' }),
}))

builder.mutationFields((t) => ({
  createDomain: t.field({
    type: CreateDomainPayload,
    extensions: { waits: true },
    description:
      'Adds a domain with a DKIM key of its own and answers the DNS records that prove it. For keys, admins and owners. Fails with CONFLICT when the project already has the domain, LIMIT_REACHED when it has 50 domains, SERVICE_UNAVAILABLE when its turn among domains that are being added has not come after 15 s, and FORBIDDEN for members.',
    args: draft.args(t),
    access: 'admin',
    resolve: async (_parent, args, ctx) => ({ domain: await createDomain(ctx, draft.read(args)) }),
  }),
  verifyDomain: t.field({
    extensions: { cost: 50, waits: true },
    type: VerifyDomainPayload,
    description:
      'Looks up the DNS records of a domain now, within 5 s. A required record that is definitely missing makes the domain PENDING at once; a DNS lookup that failed changes nothing. The same check runs every 5 minutes in the background, where a verified domain stays verified until three checks in a row miss a required record. Fails with RESOURCE_NOT_FOUND.',
    args: verification.args(t),
    resolve: async (_parent, args, ctx) => ({ domain: await verifyDomain(ctx, verification.read(args)) }),
  }),
  deleteDomain: t.field({
    extensions: { waits: true },
    type: DeleteDomainPayload,
    description:
      'Deletes a domain; nothing can be sent from it any more. For keys, admins and owners. Fails with RESOURCE_NOT_FOUND, with DOMAIN_IN_USE while templates, or campaigns that are scheduled or being sent, send from it (see `Domain.usage`), and with FORBIDDEN for members.',
    args: deletion.args(t),
    access: 'admin',
    resolve: async (_parent, args, ctx) => {
      const { id } = deletion.read(args)
      await deleteDomain(ctx, { id })
      return { id }
    },
  }),
}))
