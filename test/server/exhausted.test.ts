import { expect, test } from 'vitest'
import { failWrites } from '../help/exhausted.ts'
import { sendingProject } from '../help/mails.ts'
import { callAt, testServer } from '../help/server.ts'

const { url, world } = await testServer()
const template = {
  name: 'Welcome',
  subject: 'Welcome',
  body: '<p>Hello</p>',
  from: 'hello@demo.test',
  description: 'x',
  type: 'MARKETING',
}

test.each([
  ['the disk is full', '53100', 'POST /contacts', 'contacts', { email: 'ada@example.com' }],
  ['the disk is full', '53100', 'POST /v1/track', 'contacts', { email: 'ada@example.com', event: 'signed up' }],
  ['the disk is full', '53100', 'POST /templates', 'templates', template],
  ['there is no memory', '53200', 'POST /contacts', 'contacts', { email: 'ada@example.com' }],
  ['there are no resources', '53000', 'POST /templates', 'templates', template],
])('a write for which %s in Postgres (%s) is answered with 503, and changes nothing: %s', async (_what, state, route, table, body) => {
  const { secret, projectId } = await sendingProject(world)
  await failWrites(world, { table, when: `new.project_id = '${projectId}'`, state })
  const answer = await callAt(url, route, body, { key: secret })
  expect(answer).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } })
  expect(await world.db.prisma.contact.count({ where: { projectId } })).toBe(0)
  expect(await world.db.prisma.template.count({ where: { projectId } })).toBe(0)
})
