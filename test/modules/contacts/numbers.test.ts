import { beforeEach, expect, test } from 'vitest'
import { upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { startJobs } from '../../../src/modules/contacts/jobs.ts'
import { contactsOf, imported } from '../../help/imports.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { call, world } = await testServer()
await startJobs(world)
const email = 'ada@example.com'
const problem = { message: 'must have no number beyond ±1.8e308', code: 'invalid_number' }

let project: Awaited<ReturnType<typeof freshProject>>
let id: string
beforeEach(async () => {
  project = await freshProject(world)
  id = (await upsertContact(project.ctx, { email, data: { seats: 12 } })).id
})
const unchanged = { [email]: { subscribed: true, data: { seats: 12 } } }
const mutation = (fields: string) => `mutation { updateContact(input: { id: \\"CONTACT\\", data: ${fields} }) { contact { id } } }`

const bodies: [string, string, string, string][] = [
  ['PATCH', 'PATCH /contacts/CONTACT', '{"data":{"seats":1e400}}', 'data.seats'],
  ['PATCH, negative', 'PATCH /contacts/CONTACT', '{"data":{"seats":-1e400}}', 'data.seats'],
  ['PATCH, nested', 'PATCH /contacts/CONTACT', '{"data":{"a":{"b":[1,1e400]}}}', 'data.a.b.1'],
  ['POST', 'POST /contacts', `{"email":"${email}","data":{"seats":1e309}}`, 'data.seats'],
  ['track', 'POST /v1/track', `{"email":"${email}","event":"paid","data":{"seats":1e400}}`, 'data.seats'],
  [
    'track, of this call',
    'POST /v1/track',
    `{"email":"${email}","event":"paid","data":{"x":{"value":1e400,"persistent":false}}}`,
    'data.x.value',
  ],
  ['a literal of GraphQL', 'POST /graphql', `{"query":"${mutation('{ seats: 1e400 }')}"}`, ''],
  ['a literal without a point', 'POST /graphql', `{"query":"${mutation(`{ seats: ${'9'.repeat(310)} }`)}"}`, ''],
  [
    'a variable of GraphQL',
    'POST /graphql',
    '{"query":"mutation($input: UpdateContactInput!) { updateContact(input: $input) { contact { id } } }","variables":{"input":{"id":"CONTACT","data":{"seats":1e400}}}}',
    'data.seats',
  ],
]

test.each(bodies)(
  'a number beyond those of JSON readers is refused with 422, and nothing changes: %s',
  async (_what, route, body, field) => {
    const answer = await call(route.replace('CONTACT', id), body.replace('CONTACT', id), {
      key: project.secret,
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(422)
    expect((answer.body.errors?.[0]?.extensions ?? answer.body.error).errors).toEqual([{ field, ...problem }])
    expect(await contactsOf(project.ctx)).toEqual(unchanged)
    expect(await world.db.prisma.event.count({ where: { projectId: project.projectId } })).toBe(0)
  },
)

test('a step of a workflow whose updates have such a number is refused with 422', async () => {
  const json = { 'content-type': 'application/json' }
  const workflow = await call('POST /workflows', { name: 'w', eventName: 'paid' }, { key: project.secret })
  const flow = workflow.body.data ?? workflow.body
  const step = '{"type":"UPDATE_CONTACT","name":"u","position":{"x":0,"y":0},"config":{"updates":{"seats":1e400}}}'
  const answer = await call(`POST /workflows/${flow.id}/steps`, step, { key: project.secret, headers: json })
  expect([answer.status, answer.body.error.errors]).toEqual([422, [{ field: 'config.updates.seats', ...problem }]])
})

test('a cell of an import that holds such a number in JSON is a row with an error', async () => {
  const job = await imported(project.ctx, `email,seats,limits\n${email},13,"{""max"":1e400}"\n`)
  expect(job.result.errors).toEqual([{ row: 2, email, error: `The data ${problem.message}.` }])
  expect(await contactsOf(project.ctx)).toEqual(unchanged)
})
