import { isNonNullType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { schema } from '../../../src/server/graphql/schema.ts'
import { asker } from '../../help/ask.ts'
import { drafted } from '../../help/campaigns.ts'
import { accept, sendingProject } from '../../help/mails.ts'
import { freshUser } from '../../help/people.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

// What fails by itself is null with its error, and the rest is answered.
const { url, world } = await testServer()

test('every query is nullable, and the counts that may take too long', () => {
  const queries = Object.values(schema.getQueryType()?.getFields() ?? {})
  expect(queries.length).toBeGreaterThan(40)
  expect(queries.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual([])
  const counts = Object.values(schema.getTypeMap()).flatMap((type) => {
    const field = type.name.endsWith('Connection') && 'getFields' in type ? type.getFields().totalCount : undefined
    return field && !isNonNullType(field.type) ? [`${type.name}: ${field.description?.includes('SERVICE_UNAVAILABLE')}`] : []
  })
  expect(counts).toEqual(['ContactConnection: true', 'SegmentContactConnection: true'])
})

test('without a project a member of several is told who they are all the same', async () => {
  const [one, two] = [await freshProject(world), await freshProject(world)]
  const person = await freshUser(world, { member: [one, two].map(({ projectId }) => ({ projectId, role: 'OWNER' as const })) })
  const { data, errors } = await asker(url)('{ viewer { email } project { name } }', {}, { cookie: person.cookie })
  expect(data).toEqual({ viewer: { email: person.email }, project: null })
  expect(errors.map(({ path, extensions }) => `${path} ${extensions.code}`)).toEqual(['project BAD_REQUEST'])
})

describe('beside a query that fails', () => {
  const wrong = 'condition: { field: "data.plan", operator: WITHIN, value: 3 }'
  const failing = [
    ['other: project(id: "prj_x") { id }', 'RESOURCE_NOT_FOUND'],
    [`other: contacts(filter: { ${wrong} }) { totalCount }`, 'VALIDATION_ERROR'],
    ['other: emails(filter: { statuses: [] }) { totalCount }', 'VALIDATION_ERROR'],
    ['other: timeseries(startDate: "2020-01-01", endDate: "2024-01-01") { sent }', 'VALIDATION_ERROR'],
    ['other: jobs(filter: { kinds: [] }) { totalCount }', 'VALIDATION_ERROR'],
    ['other: activity(filter: { types: [] }) { totalCount }', 'VALIDATION_ERROR'],
    ['other: activityStats(startDate: "2026-02-01", endDate: "2026-01-01") { totalEvents }', 'VALIDATION_ERROR'],
    ['other: eventCounts(startDate: "2026-02-01", endDate: "2026-01-01") { count }', 'VALIDATION_ERROR'],
    ['other: contacts(first: 101) { totalCount }', 'VALIDATION_ERROR'],
    [`other: conditionExplanation(contactId: "cnt_x", ${wrong}) { matches }`, 'VALIDATION_ERROR'],
  ]
  test.each(failing)('%s: the project is answered', async (query, code) => {
    const { secret, projectId } = await freshProject(world)
    const { data, errors } = await asker(url, secret)(`{ project { id } ${query} }`)
    expect(data).toEqual({ project: { id: projectId }, other: null })
    expect(errors.map(({ extensions }) => extensions.code)).toEqual([code])
  })
})

test('a body of a campaign that is too long beside another leaves the rest of the answer', async () => {
  const { ctx, secret, projectId } = await sendingProject(world)
  for (const name of ['one', 'two']) await drafted(ctx, { name, body: `<p>${'x'.repeat(2_200_000)}</p>` })
  const { data, errors } = await asker(
    url,
    secret,
  )<{ project: object; campaigns: { nodes: { name: string; body: string | null }[] } }>(
    '{ project { id } campaigns { nodes { name body } } }',
  )
  const bodies = data?.campaigns.nodes.map(({ name, body }) => [name, body?.length ?? null])
  expect([data?.project, bodies]).toEqual([
    { id: projectId },
    [
      ['two', 2_200_007],
      ['one', null],
    ],
  ])
  expect(errors.map(({ path, extensions }) => `${path?.join('.')} ${extensions.code}`)).toEqual([
    'campaigns.nodes.1.body PAYLOAD_TOO_LARGE',
  ])
})

test('an empty search is none, as a cleared box sends it', async () => {
  const { ctx, secret } = await sendingProject(world)
  await accept(ctx)
  const { data, errors } = await asker(url, secret)('{ emails(filter: { search: "" }) { totalCount } }')
  expect([data, errors]).toEqual([{ emails: { totalCount: 1 } }, []])
})
