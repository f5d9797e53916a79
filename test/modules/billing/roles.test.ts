import { describe, expect, test } from 'vitest'
import { freshUser } from '../../help/people.ts'
import { testServer } from '../../help/server.ts'
import { fakeStripe } from '../../help/stripe.ts'
import { freshProject } from '../../help/world.ts'

const stripe = await fakeStripe()
const { call, world } = await testServer({ env: stripe.env })
const writes = ['PUT billing-limits', 'POST checkout', 'GET billing-invoices']
const reads = ['GET billing-limits', 'GET billing-consumption', 'GET security']

async function statuses(rows: string[], cookie: string, projectId: string): Promise<number[]> {
  const answers: number[] = []
  for (const row of rows) {
    const [method, name] = row.split(' ')
    const body = method === 'GET' ? undefined : {}
    answers.push((await call(`${method} /users/@me/projects/${projectId}/${name}`, body, { headers: { cookie } })).status)
  }
  return answers
}

describe('a session', () => {
  test('of an owner or admin may set caps and pay; one of a member may read caps and reputation', async () => {
    const { projectId } = await freshProject(world)
    for (const role of ['OWNER', 'ADMIN'] as const) {
      const { cookie } = await freshUser(world, { member: { projectId, role } })
      expect(await statuses([...writes, ...reads], cookie, projectId)).toEqual([200, 200, 200, 200, 200, 200])
    }
    const member = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
    expect(await statuses([...writes, ...reads], member.cookie, projectId)).toEqual([403, 403, 403, 200, 200, 200])
  })

  test('of a user who is not a member sees nothing of the project', async () => {
    const { projectId } = await freshProject(world)
    const other = await freshProject(world)
    const { cookie } = await freshUser(world, { member: { projectId: other.projectId, role: 'OWNER' } })
    expect(await statuses([...writes, ...reads], cookie, projectId)).toEqual([404, 404, 404, 404, 404, 404])
  })

  test('of a member of several projects reads each by its own path, and the caps of each over GraphQL', async () => {
    const [one, two] = [await freshProject(world, 'One'), await freshProject(world, 'Two')]
    await call(`PUT /users/@me/projects/${two.projectId}/billing-limits`, { campaigns: 7 }, { key: two.secret })
    const member = [one, two].map(({ projectId }) => ({ projectId, role: 'OWNER' as const }))
    const { cookie } = await freshUser(world, { member })
    expect(await statuses(reads, cookie, one.projectId)).toEqual([200, 200, 200])
    const query =
      '{ viewer { projects { nodes { name billingLimits { campaigns { limit } freeAllowance { limit } } security { isDisabled } } } } }'
    const headers = { cookie, 'content-type': 'application/json' }
    const { body } = await call('POST /graphql', { query }, { headers })
    expect(body.data.viewer.projects.nodes.toSorted((a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'One', billingLimits: { campaigns: { limit: null }, freeAllowance: { limit: 1000 } }, security: { isDisabled: false } },
      { name: 'Two', billingLimits: { campaigns: { limit: 7 }, freeAllowance: { limit: 1000 } }, security: { isDisabled: false } },
    ])
  })
})
