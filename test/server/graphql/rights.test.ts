import { expect, onTestFinished, test, vi } from 'vitest'
import { callersOf, recentMs } from '../../../src/kit/callers.ts'
import { type Ctx, callIn } from '../../../src/kit/context.ts'
import { upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { removeMember } from '../../../src/modules/projects/members/members.ts'
import { regenerateKeys } from '../../../src/modules/projects/projects.ts'
import { lookAtInTurn } from '../../../src/server/graphql/documents.ts'
import { maxCostAtOnce, runInTurn } from '../../../src/server/graphql/turns.ts'
import { asker } from '../../help/ask.ts'
import { holder } from '../../help/holder.ts'
import { bare, bearer, connect } from '../../help/live.ts'
import { freshUser } from '../../help/people.ts'
import { testServer } from '../../help/server.ts'
import { until } from '../../help/until.ts'
import { freshProject } from '../../help/world.ts'

const { call, url, world } = await testServer({ running: true })

const lists = [1, 2, 3].map((nth) => `e${nth}: events(first: 100) { nodes { id } }`).join(' ')
const small = 'mutation { trackEvent(input: { email: "late@example.com", event: "late" }) { contact { id } } }'
const mutation = `mutation { trackEvent(input: { email: "late@example.com", event: "late" }) { contact { ${lists} } } }`

/** Has large operations of a project and of a person wait for their turn until it is given back. */
async function holdTurns(...callers: Pick<Ctx, 'projectId' | 'account'>[]) {
  const asked = vi.spyOn(callersOf(world), 'hasOtherThan')
  onTestFinished(() => asked.mockRestore())
  const held = Promise.withResolvers<void>()
  const holding = callers.flatMap((caller) => [1, 2].map(() => runInTurn(callIn(world, caller), maxCostAtOnce + 1, () => held.promise)))
  // Each time that work arrives its owner's places are asked for.
  const timesAsked = () => asked.mock.calls.filter(([, withinMs]) => withinMs === recentMs).length
  const before = timesAsked()
  return {
    waits: () => until(async () => timesAsked() > before),
    async giveBack() {
      held.resolve()
      await Promise.all(holding)
    },
  }
}

const contactsOf = (projectId: string) => world.db.prisma.contact.count({ where: { projectId } })

test('an operation does not run when the key of its caller was replaced while it waited for its turn', async () => {
  const { ctx, projectId, secret } = await freshProject(world)
  const turns = await holdTurns(ctx)
  const answer = asker(url, secret)(mutation)
  await turns.waits()
  await regenerateKeys(ctx, { id: projectId })
  await turns.giveBack()
  expect(await answer).toMatchObject({ status: 401, data: null, errors: [{ extensions: { code: 'INVALID_API_KEY' } }] })
  expect(await contactsOf(projectId)).toBe(0)
})

test('nor when the membership of its caller has ended', async () => {
  const { ctx, projectId } = await freshProject(world)
  const member = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
  const turns = await holdTurns(member.ctx)
  const answer = asker(url)(mutation, {}, { cookie: member.cookie, origin: url, 'x-project-id': projectId })
  await turns.waits()
  await removeMember(ctx, { id: projectId, userId: member.userId })
  await turns.giveBack()
  expect(await answer).toMatchObject({ status: 401, data: null, errors: [{ message: 'Your access to this project has ended.' }] })
  expect(await contactsOf(projectId)).toBe(0)
})

test('nor over a socket', async () => {
  const { ctx, projectId, secret } = await freshProject(world)
  const { closed, send, types } = await bare(url, secret)
  const turns = await holdTurns(ctx)
  send({ id: '1', type: 'subscribe', payload: { query: mutation } })
  await turns.waits()
  const { secret: next } = await regenerateKeys(ctx, { id: projectId })
  await turns.giveBack()
  expect(await closed).toBe(4401)
  expect(types).not.toContain('next')
  // Written after what the socket asked for would have been.
  await call('POST /contacts', { email: 'later@example.com' }, { key: next })
  expect(await contactsOf(projectId)).toBe(1)
})

test('a socket that does not answer its close frame begins nothing that has waited', async () => {
  const { ctx, projectId, secret } = await freshProject(world)
  const { socket, send, types, closed } = await bare(url, secret)
  const { closed: ended } = connect(url, bearer(secret))
  const [held, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = lookAtInTurn({ isParsed: () => false }, ctx, '{ held }', () => {
    begun.resolve()
    return held.promise
  })
  await begun.promise
  send({ id: '1', type: 'subscribe', payload: { query: `${small} #${Math.random()}` } })
  // What came before has been handled when it is answered.
  send({ type: 'ping' })
  await until(async () => types.includes('pong'))
  socket.pause()
  const { secret: next } = await regenerateKeys(ctx, { id: projectId })
  expect((await ended).code).toBe(4401)
  held.resolve()
  await holding
  await lookAtInTurn({ isParsed: () => false }, ctx, '{ next }', async () => {})
  await call('POST /contacts', { email: 'later@example.com' }, { key: next })
  expect(await contactsOf(projectId)).toBe(1)
  socket.resume()
  await closed
  expect(types).not.toContain('next')
})

test('an operation runs with the rights that its caller has when its turn has come', async () => {
  const { ctx } = await freshProject(world)
  const rights = { account: ctx.account, actor: { kind: 'key', key: 'SECRET', projectDisabled: true } } as const
  const run = (call: Ctx, cost: number) => runInTurn(call, cost, ({ actor }) => actor)
  expect(await run({ ...ctx, rightsNow: async () => rights }, maxCostAtOnce + 1)).toBe(rights.actor)
  expect(await run(ctx, maxCostAtOnce + 1)).toBe(ctx.actor)
})

test.each(['its key is replaced', 'its caller is removed'])(
  'of several mutations none begins once %s while one before it runs',
  async (how) => {
    const { ctx, projectId, secret } = await freshProject(world)
    const member = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
    await upsertContact(ctx, { email: 'first@example.com' })
    const other = await holder(world)
    await other.run('select from contacts where project_id = $1 for update', [projectId])
    const track = (email: string) => `trackEvent(input: { email: "${email}", event: "late", data: { plan: "pro" } }) { contact { id } }`
    const ask = how === 'its key is replaced' ? asker(url, secret) : asker(url)
    const headers: Record<string, string> =
      how === 'its key is replaced' ? {} : { cookie: member.cookie, origin: url, 'x-project-id': projectId }
    const answer = ask(`mutation { first: ${track('first@example.com')} second: ${track('late@example.com')} }`, {}, headers)
    await other.waitedFor()
    if (how === 'its key is replaced') await regenerateKeys(ctx, { id: projectId })
    else await removeMember(ctx, { id: projectId, userId: member.userId })
    await other.commit()
    expect(await answer).toMatchObject({ errors: [{ path: ['second'], extensions: { statusCode: 401 } }] })
    expect(await contactsOf(projectId)).toBe(1)
  },
)

test('a person without a project makes one, and goes on with what needs none', async () => {
  const person = await freshUser(world)
  const create = (name: string) => `createProject(input: { name: "${name}" }) { project { name } }`
  const { errors } = await asker(url)(
    `mutation { a: ${create('A')} b: ${create('B')} c: ${create('C')} }`,
    {},
    { cookie: person.cookie, origin: url },
  )
  expect(errors).toEqual([])
})
