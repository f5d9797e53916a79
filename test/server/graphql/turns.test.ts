import { expect, test } from 'vitest'
import { callIn } from '../../../src/kit/context.ts'
import { maxCostAtOnce, runInTurn } from '../../../src/server/graphql/turns.ts'
import { asker } from '../../help/ask.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { url, world } = await testServer()

const large = '{ contacts(first: 100) { nodes { emails(first: 10) { nodes { id } } } } }'
const small = '{ contacts(first: 20) { nodes { id } } }'

test('large operations of a project run one after the other, and hold up neither small ones nor those of other projects', async () => {
  const [mine, other] = [await freshProject(world), await freshProject(world)]
  const held = Promise.withResolvers<void>()
  const holding = runInTurn(callIn(world, { projectId: mine.projectId }), maxCostAtOnce + 1, () => held.promise)
  let answered = 0
  const waiting = [1, 2].map(async () => {
    const reply = await asker(url, mine.secret)(large)
    answered++
    return reply
  })
  expect((await asker(url, mine.secret)(small)).errors).toEqual([])
  const reply = await asker(url, other.secret)(large)
  expect([reply.errors, (reply.extensions.cost?.requested ?? 0) > maxCostAtOnce]).toEqual([[], true])
  for (let nth = 0; nth < 3; nth++) await asker(url, other.secret)(large)
  expect(answered).toBe(0)
  held.resolve()
  await holding
  for (const one of await Promise.all(waiting)) expect([one.status, one.errors, one.data]).toEqual([200, [], { contacts: { nodes: [] } }])
})

test('a large operation whose turn does not come fails with a sentence', async () => {
  const { projectId } = await freshProject(world)
  const ctx = { ...callIn(world, { projectId }), left: () => AbortSignal.abort() }
  await expect(runInTurn(ctx, maxCostAtOnce + 1, () => 'never')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(await runInTurn(ctx, maxCostAtOnce, () => 'small')).toBe('small')
})
