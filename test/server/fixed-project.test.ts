import { describe, expect, test } from 'vitest'
import { joinProject } from '../../src/modules/projects/members/acceptance.ts'
import { inviteMember } from '../../src/modules/projects/members/invitations.ts'
import { removeMember } from '../../src/modules/projects/members/members.ts'
import { createProject } from '../../src/modules/projects/projects.ts'
import { appendLines } from '../help/lines.ts'
import { connect, openStream, watching } from '../help/live.ts'
import { freshUser, type Person } from '../help/people.ts'
import { testServer } from '../help/server.ts'
import { until } from '../help/until.ts'
import { freshProject } from '../help/world.ts'

const { url, world } = await testServer({ running: true })
const subscription = 'subscription { activity { metadata } }'

async function join({ ctx, email }: Person) {
  const project = await freshProject(world)
  const owner = await freshUser(world, { member: { projectId: project.projectId, role: 'OWNER' } })
  const { id } = await inviteMember(owner.ctx, { id: project.projectId, email, role: 'MEMBER' })
  await joinProject(ctx, { id })
  return project
}

/** Has a person become a member of one more project, whose id it returns. */
const ways = {
  creates: async ({ ctx }: Person) => (await createProject(ctx, { name: 'Another' })).id,
  joins: async (person: Person) => (await join(person)).projectId,
}

/** A feed that a person watches, and how it ended. */
interface Feed {
  text(): string
  over: Promise<unknown>
}

const socketOf = ({ cookie }: Person, params: { projectId?: string } = {}) => connect(url, params, { cookie, origin: url })

type Client = ReturnType<typeof socketOf>['client']

const projectOf = async (client: Client, args = '') =>
  (await client.iterate<{ project: { id: string } | null }>({ query: `{ project${args} { id } }` }).next()).value?.data?.project?.id

async function streamOf({ cookie }: Person): Promise<Feed> {
  return openStream(url, subscription, { cookie, accept: 'text/event-stream' })
}

async function watchedOver(person: Person): Promise<Feed> {
  const { client, closed } = socketOf(person)
  const lines: unknown[] = []
  client.subscribe({ query: subscription }, { next: (line) => void lines.push(line), error: () => {}, complete: () => {} })
  return { text: () => JSON.stringify(lines), over: closed }
}

const ended = { code: 4401, reason: 'Your access to this project has ended.' }

const hasEnded = (feed: Feed) => Promise.race([feed.over, new Promise((resolve) => setImmediate(resolve, false))])

describe.each([
  ['an event stream', streamOf, undefined],
  ['a websocket', watchedOver, ended],
])('%s of a person who named no project because they had one', (_name, open, ending) => {
  test.each(Object.entries(ways))('stays in it when the person %s another one, and ends when they leave it', async (_way, add) => {
    const { projectId, ctx } = await freshProject(world)
    const person = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
    const feed = await open(person)
    await until(async () => (await watching(world)) === 1)
    // Opened later and naming the project: once it knows the other project, the feed has been looked at as well.
    const { client: witness } = socketOf(person, { projectId })
    expect(await projectOf(witness)).toBe(projectId)
    const another = await add(person)
    await until(async () => (await projectOf(witness, `(id: "${another}")`)) === another)
    await appendLines(world, another, 'elsewhere')
    await appendLines(world, projectId, 'later')
    await until(async () => feed.text().includes('later') || (await hasEnded(feed)) !== false)
    expect([await hasEnded(feed), feed.text().includes('later'), feed.text().includes('elsewhere')]).toEqual([false, true, false])
    await removeMember(ctx, { id: projectId, userId: person.userId })
    const end = await feed.over
    if (ending) expect(end).toMatchObject(ending)
    await until(async () => (await watching(world)) === 0)
  })
})

test('a websocket of a person without a project goes on in the first that they get, and stays in that one', async () => {
  const person = await freshUser(world)
  const { client, closed } = socketOf(person)
  expect((await client.iterate({ query: '{ viewer { email } }' }).next()).value).toMatchObject({
    data: { viewer: { email: person.email } },
  })
  const { projectId: first, ctx } = await join(person)
  await until(async () => (await projectOf(client)) === first)
  const second = await ways.creates(person)
  await until(async () => (await projectOf(client, `(id: "${second}")`)) === second)
  expect(await projectOf(client)).toBe(first)
  await removeMember(ctx, { id: first, userId: person.userId })
  expect(await closed).toMatchObject(ended)
})
