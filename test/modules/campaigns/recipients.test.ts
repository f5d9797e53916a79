import { expect, test } from 'vitest'
import { listRecipients } from '../../../src/modules/campaigns/recipients/recipients.ts'
import { RecipientOutcome, RecipientSearch } from '../../../src/modules/campaigns/recipients/shapes.ts'
import { sendCampaign } from '../../../src/modules/campaigns/sending/send.ts'
import { deleteContact } from '../../../src/modules/contacts/contacts.ts'
import { EmailStatus } from '../../../src/modules/emails/shapes.ts'
import { recordEngaged } from '../../../src/modules/emails/tracking/record.ts'
import { asker } from '../../help/ask.ts'
import { drafted, runUntil, withContacts } from '../../help/campaigns.ts'
import { graphql } from '../../help/graphql/index.ts'
import { sendingProject } from '../../help/mails.ts'
import { queriesOf } from '../../help/queries.ts'
import { testServer } from '../../help/server.ts'

const { call, url, world } = await testServer({ env: { EMAIL_TRANSPORT: 'capture' } })

/** A campaign that was sent to some contacts. */
async function sentTo(count: number) {
  const project = await sendingProject(world)
  const contacts = await withContacts(project.ctx, count)
  const { id } = await drafted(project.ctx)
  await sendCampaign(project.ctx, { id })
  await runUntil(world, project.ctx, id, 'SENT')
  const csv = async () => {
    const headers = { authorization: `Bearer ${project.secret}`, accept: 'text/csv' }
    const lines = (await (await fetch(`${url}/campaigns/${id}/recipients`, { headers })).text()).trim().split('\r\n').slice(1)
    return lines.map((line) => line.split(','))
  }
  return { ...project, id, contacts, csv, ask: asker(url, project.secret) }
}

// What is stored of an email of a campaign: one that is being sent is PENDING, and none comes in.
const stored = EmailStatus.options.filter((status) => status !== 'SENDING' && status !== 'RECEIVED')

test('recipients are listed whatever became of their emails: in REST, GraphQL and CSV, all of them and by outcome', async () => {
  const { id, projectId, secret: key, contacts, csv, ask } = await sentTo(stored.length)
  for (const [at, status] of stored.entries())
    await world.db.prisma.email.updateMany({ where: { projectId, contactId: contacts[at] ?? '' }, data: { status } })
  expect(RecipientOutcome.options).toEqual([...stored, 'EXCLUDED'])
  const all = await call(`GET /campaigns/${id}/recipients`, undefined, { key })
  expect([all.status, all.body.data.map(({ outcome }: { outcome: string }) => outcome).sort()]).toEqual([200, stored.toSorted()])
  expect((await csv()).map((cells) => cells[3]).sort()).toEqual(stored.toSorted())
  const { data, errors } = await ask(`query { campaign(id: "${id}") { recipients(first: 50) { totalCount nodes { outcome } } } }`)
  expect([errors, data]).toMatchObject([[], { campaign: { recipients: { totalCount: stored.length } } }])
  for (const outcome of stored) {
    const some = await call(`GET /campaigns/${id}/recipients?outcome=${outcome}`, undefined, { key })
    expect([some.status, some.body.total, some.body.data[0]?.outcome]).toEqual([200, 1, outcome])
    const asked = await ask(
      `query { campaign(id: "${id}") { recipients(first: 5, filter: { outcome: ${outcome} }) { nodes { outcome } } } }`,
    )
    expect(asked.data).toEqual({ campaign: { recipients: { nodes: [{ outcome }] } } })
  }
})

test('a deleted contact is no recipient any more, at once: in REST, GraphQL, CSV and the number of recipients', async () => {
  const { ctx, id, contacts, csv, ask } = await sentTo(3)
  const [gone = '', ...rest] = contacts
  await deleteContact(ctx, { id: gone })
  const page = await listRecipients(ctx, RecipientSearch.parse({ id, limit: 2 }))
  expect([page.total, page.data.map(({ contactId }) => contactId)]).toEqual([2, rest])
  expect((await csv()).map(([, contactId]) => contactId)).toEqual(rest)
  const { data } = await ask(`query { campaign(id: "${id}") { recipients(first: 5) { totalCount nodes { address } } } }`)
  expect(data).toEqual({
    campaign: { recipients: { totalCount: 2, nodes: [{ address: 'user1@example.com' }, { address: 'user2@example.com' }] } },
  })
})

/** Gives a campaign 2,500 recipients that were deleted, before those that it has. */
async function addDeleted({ projectId, id }: { projectId: string; id: string }): Promise<void> {
  const insert = `insert into contacts (project_id, id, email, data, created_at, updated_at, deleted_at)
    select '${projectId}', 'cnt_' || lpad(n::text, 26, '0'), 'gone' || n, '{}', now(), now(), now() from generate_series(1, 2500) n`
  await world.db.prisma.$executeRawUnsafe(insert)
  const mails = `insert into emails (project_id, id, contact_id, campaign_id, source, status, to_address, subject, created_at, updated_at)
    select c.project_id, 'eml_' || c.id, c.id, '${id}', 'CAMPAIGN', 'SENT', c.email, 'S', now(), now() from contacts c
    where c.project_id = '${projectId}' and c.deleted_at is not null`
  await world.db.prisma.$executeRawUnsafe(mails)
}

test('a CSV goes on after a long row of deleted contacts', async () => {
  const { id, projectId, csv } = await sentTo(1)
  await addDeleted({ projectId, id })
  expect((await csv()).map(([address]) => address)).toEqual(['user0@example.com'])
})

interface Listed {
  nodes: { address: string }[]
  pageInfo: { endCursor: string | null }
}

test('the recipients of several campaigns are read in one statement, of which each has its own page, also where many of one are hidden', async () => {
  const { ctx, id, projectId, ask } = await sentTo(3)
  const { id: other } = await drafted(ctx)
  await sendCampaign(ctx, { id: other })
  await runUntil(world, ctx, other, 'SENT')
  await addDeleted({ projectId, id })
  const page = 'nodes { address } pageInfo { hasNextPage hasPreviousPage endCursor }'
  const read = async (args: string) => {
    const work = () => ask(`query { campaigns { nodes { id recipients(${args}) { ${page} } } } }`)
    const { reply, queries } = await queriesOf(work, /machine_opens/)
    const { campaigns } = reply.data as unknown as { campaigns: { nodes: { id: string; recipients: Listed }[] } }
    const [first, second] = [id, other].map((one) => campaigns.nodes.find((node) => node.id === one)?.recipients)
    return { queries, first, second }
  }
  const addresses = [0, 1, 2].map((at) => ({ address: `user${at}@example.com` }))
  const begun = await read('first: 2')
  expect(begun).toMatchObject({
    queries: 1,
    first: { nodes: [], pageInfo: { hasNextPage: true } },
    second: { nodes: addresses.slice(0, 2), pageInfo: { hasNextPage: true } },
  })
  const next = { nodes: addresses, pageInfo: { hasNextPage: false } }
  expect(await read(`first: 3, after: "${begun.first?.pageInfo.endCursor}"`)).toMatchObject({ queries: 1, first: next, second: next })
  const last = { nodes: addresses.slice(2), pageInfo: { hasPreviousPage: true } }
  expect(await read('last: 1')).toMatchObject({ queries: 1, first: last, second: last })
  expect((await read('first: 2, filter: { outcome: EXCLUDED }')).second?.nodes).toEqual([])
})

const filtered = graphql(`
  query RecipientsBy($id: ID!, $filter: CampaignRecipientFilter) {
    campaign(id: $id) { recipients(first: 5, filter: $filter) { totalCount nodes { address } } }
  }
`)

test('recipients are found by whether a person has opened their email or followed a link, whatever became of it then', async () => {
  const { id, projectId, ask } = await sentTo(3)
  const emails = await world.db.prisma.email.findMany({ where: { projectId }, orderBy: { contactId: 'asc' } })
  const engage = async (at: number, link: string | null, userAgent = 'Mozilla/5.0 (Macintosh) Version/17.4 Safari/605.1.15') => {
    world.clock.turn(5_000)
    await recordEngaged(world, { projectId, id: emails[at]?.id ?? '', link, userAgent })
  }
  await engage(0, null)
  await engage(0, 'https://example.com/a')
  await engage(1, null)
  await engage(2, 'https://example.com/a', 'Googlebot/2.1')
  const [ada, bob, eve] = emails.map(({ toAddress }) => toAddress)
  const found = async (filter: object) => {
    const { data } = await ask(filtered, { id, filter })
    const { totalCount, nodes } = data?.campaign?.recipients ?? { totalCount: -1, nodes: [] }
    return [totalCount, ...nodes.map((one) => one.address)]
  }
  expect(await found({ opened: true })).toEqual([2, ada, bob])
  expect(await found({ opened: false })).toEqual([1, eve])
  expect(await found({ clicked: true })).toEqual([1, ada])
  expect(await found({ opened: true, clicked: false })).toEqual([1, bob])
  expect(await found({ outcome: 'CLICKED', clicked: false })).toEqual([1, eve])
  const { errors } = await ask(filtered, { id, filter: { outcome: 'EXCLUDED', opened: true } })
  expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field: 'opened' }] })
})
