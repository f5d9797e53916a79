import { describe, expect, test } from 'vitest'
import { asker } from '../../help/ask.ts'
import { freshUser, type Person } from '../../help/people.ts'
import { fewestQueriesOf, ofReads } from '../../help/queries.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

// What a person sees of all their projects at once.
const { url, world } = await testServer()

const relations = [
  'keys { secretKey }',
  'members(first: 5) { totalCount nodes { email } }',
  'invitations { email }',
  'setupState { hasVerifiedDomain contactCount }',
  'security { isDisabled recentSuspensions { id } }',
]

const ofProjects = new RegExp(
  `${ofReads.source}[\\s\\S]*(projects|project_keys|memberships|invitations|domains|contacts|reputation|suspensions)`,
)

async function ownerOf(count: number): Promise<Person> {
  const projects = await Promise.all(Array.from({ length: count }, () => freshProject(world)))
  return freshUser(world, { member: projects.map(({ projectId }) => ({ projectId, role: 'OWNER' as const })) })
}

describe('viewer { projects { nodes { … } } }', () => {
  test.each(relations)('%s: no more queries for ten projects than for one', async (relation) => {
    const ask = async (person: Person) => {
      const query = `{ viewer { projects { nodes { id ${relation} } } } }`
      // The session of the person is read once and then cached.
      await asker(url)('{ viewer { id } }', {}, { cookie: person.cookie })
      return fewestQueriesOf(
        () => asker(url)<{ viewer: { projects: { nodes: object[] } } }>(query, {}, { cookie: person.cookie }),
        ofProjects,
      )
    }
    const [one, ten] = [await ask(await ownerOf(1)), await ask(await ownerOf(10))]
    expect([one.reply.errors, ten.reply.errors]).toEqual([[], []])
    expect(ten.reply.data?.viewer.projects.nodes).toHaveLength(10)
    expect(ten.queries).toBeLessThanOrEqual(one.queries)
  })

  test('each project shows what is its own', async () => {
    const person = await ownerOf(3)
    const { data } = await asker(url)<{
      viewer: { projects: { nodes: { id: string; keys: { secretKey: string }; members: { nodes: object[] } }[] } }
    }>('{ viewer { projects { nodes { id keys { secretKey } members { nodes { email } } } } } }', {}, { cookie: person.cookie })
    for (const { id, keys, members } of data?.viewer.projects.nodes ?? []) {
      expect((await asker(url, keys.secretKey)('{ project { id } }')).data).toEqual({ project: { id } })
      expect(members.nodes).toEqual([{ email: person.email }])
    }
    expect(data?.viewer.projects.nodes).toHaveLength(3)
  })

  test('a list costs as much as it can hold: 100 invitations of each of 20 projects', async () => {
    const { cookie } = await ownerOf(1)
    const { extensions } = await asker(url)('{ viewer { projects { nodes { invitations { email } } } } }', {}, { cookie })
    expect(extensions.cost?.requested).toBe(1 + 2 + 20 * (1 + 100))
    const billed = await asker(url)('{ viewer { projects { nodes { invoices { invoices { id } } } } } }', {}, { cookie })
    expect(billed.extensions.cost?.requested).toBe(1 + 2 + 20 * (1 + 100 + 10))
    const refused = await asker(url)('{ viewer { projects(first: 100) { nodes { invitations { email } } } } }', {}, { cookie })
    expect([refused.status, refused.errors[0]?.message]).toEqual([400, expect.stringContaining('points of cost')])
  })
})
