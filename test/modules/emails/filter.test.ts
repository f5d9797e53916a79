import { expect, test } from 'vitest'
import { statement } from '../../../src/kit/postgres/db.ts'
import { cancelEmail } from '../../../src/modules/emails/cancel.ts'
import { createTemplate } from '../../../src/modules/templates/templates.ts'
import { asker } from '../../help/ask.ts'
import { graphql } from '../../help/graphql/index.ts'
import { accept, sendingProject } from '../../help/mails.ts'
import { testServer } from '../../help/server.ts'

const { world, url } = await testServer()

const List = graphql(`
  query FilteredEmails($filter: EmailFilter) { emails(filter: $filter) { totalCount nodes { id } } }
`)

interface Found {
  data: { emails: { totalCount: number; nodes: { id: string }[] } } | null
  errors: unknown[]
}

/** The ids of a whole list, or of the first page of one with so many. */
function idsOf({ data, errors }: Found, count = data?.emails.nodes.length): string[] | undefined {
  expect(errors).toEqual([])
  expect(data?.emails.totalCount).toBe(count)
  return data?.emails.nodes.map(({ id }) => id)
}

const addEmails = statement<object>(
  'test_add_emails',
  `insert into emails (project_id, id, contact_id, source, status, to_address, subject, created_at, updated_at)
   select $1, 'eml_7' || lpad(n::text, 25, '0'), $2, 'CAMPAIGN', 'SENT', 'ada@example.com', 'News', now(), now() from generate_series(1, $3::int) n`,
)

test('emails are found by states, by a part of the address, and by time', async () => {
  const { ctx, secret } = await sendingProject(world)
  const found = async (filter: object) => idsOf(await asker(url, secret)(List, { filter }))
  const { id: ada } = await accept(ctx, { to: 'ada@example.com' })
  world.clock.turn(3_600_000)
  const after = world.clock.now()
  const { id: bob } = await accept(ctx, { to: 'bob_b@example.com' })
  const { id: eve } = await accept(ctx, { to: 'eve@other.test' })
  await cancelEmail(ctx, { id: eve })
  expect(await found({ statuses: ['PENDING', 'SENDING', 'SENT'] })).toEqual([bob, ada])
  expect(await found({ statuses: ['CANCELLED'] })).toEqual([eve])
  expect(await found({ statuses: ['CANCELLED', 'PENDING', 'SENDING', 'SENT'] })).toEqual([eve, bob, ada])
  expect(await found({ search: 'EXAMPLE' })).toEqual([bob, ada])
  expect(await found({ search: 'b_b' })).toEqual([bob])
  expect(await found({ search: 'a_a' })).toEqual([])
  expect(await found({ createdFrom: after.toISOString() })).toEqual([eve, bob])
  expect(await found({ createdTo: after.toISOString() })).toEqual([ada])
  expect(await found({ createdFrom: after.toISOString(), search: 'example', statuses: ['CANCELLED'] })).toEqual([])
  expect(await found({ executionId: 'exe_x' })).toEqual([])
})

test('emails are found by what caused them, and by the template they were made from', async () => {
  const { ctx, secret, projectId } = await sendingProject(world)
  const found = async (filter: object) => idsOf(await asker(url, secret)(List, { filter }))
  const { id: template } = await createTemplate(ctx, { subject: 'Hi', body: 'B', from: 'hello@demo.test' })
  const made = { template, from: undefined, subject: undefined, body: undefined }
  const { id: ada } = await accept(ctx, { to: 'ada@example.com', ...made })
  const { id: bob } = await accept(ctx, { to: 'bob@example.com' })
  const { id: eve } = await accept(ctx, { to: 'eve@example.com', ...made })
  await world.db.prisma.email.update({ where: { projectId_id: { projectId, id: eve } }, data: { source: 'WORKFLOW' } })
  expect(await found({ sources: ['TRANSACTIONAL'] })).toEqual([bob, ada])
  expect(await found({ sources: ['WORKFLOW', 'TRANSACTIONAL'] })).toEqual([eve, bob, ada])
  expect(await found({ sources: ['INBOUND'] })).toEqual([])
  expect(await found({ templateId: template })).toEqual([eve, ada])
  expect(await found({ templateId: template, sources: ['WORKFLOW'], statuses: ['PENDING', 'SENDING'] })).toEqual([eve])
  expect(await found({ templateId: 'tpl_x' })).toEqual([])
  const other = await sendingProject(world)
  expect(idsOf(await asker(url, other.secret)(List, { filter: { templateId: template } }))).toEqual([])
})

test('a rare source is looked for among 20,000 emails at a time, and the list goes on where that ends', async () => {
  const { ctx, secret, projectId } = await sendingProject(world)
  const { id: rare, contactId } = await accept(ctx, { to: 'ada@example.com' })
  await world.db.run(addEmails, [projectId, contactId, 20_500])
  const Page = graphql(`
    query RareEmails($after: String) {
      emails(filter: { sources: [TRANSACTIONAL] }, first: 5, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } }
    }
  `)
  const first = await asker(url, secret)(Page, {})
  expect(first.data?.emails).toMatchObject({ nodes: [], pageInfo: { hasNextPage: true } })
  const next = await asker(url, secret)(Page, { after: first.data?.emails.pageInfo.endCursor ?? '' })
  expect(next.data?.emails).toMatchObject({ nodes: [{ id: rare }], pageInfo: { hasNextPage: false } })
  expect(idsOf(await asker(url, secret)(List, { filter: { sources: ['CAMPAIGN'] } }), 20_500)).toHaveLength(20)
})

test('a list of no states or sources is refused', async () => {
  const { secret } = await sendingProject(world)
  for (const filter of [{ statuses: [] }, { sources: [] }]) {
    const { errors } = await asker(url, secret)(List, { filter })
    expect(errors[0]?.extensions.code).toBe('VALIDATION_ERROR')
  }
})
