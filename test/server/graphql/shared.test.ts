import { isScalarType } from 'graphql'
import { expect, onTestFinished, test, vi } from 'vitest'
import { schema } from '../../../src/server/graphql/schema.ts'
import { appendLines } from '../../help/lines.ts'
import { bearer, connect, watching } from '../../help/live.ts'
import { freshUser } from '../../help/people.ts'
import { testServer } from '../../help/server.ts'
import { until } from '../../help/until.ts'
import { freshProject } from '../../help/world.ts'

const { url, world } = await testServer({ running: true, worker: true })

interface Item {
  id: string
  metadata?: { eventName: string }
}

function watch(params: Record<string, unknown>, query: string, variables: Record<string, unknown> = {}, headers = {}): Item[] {
  const items: Item[] = []
  const { client } = connect(url, params, headers)
  client.subscribe<{ activity: Item }>(
    { query, variables },
    { next: ({ data }) => void (data && items.push(data.activity)), error: () => undefined, complete: () => undefined },
  )
  return items
}

// How often a value of JSON was written for an answer.
function countJson(): () => number {
  const type = schema.getType('JSON')
  if (!isScalarType(type)) throw new Error('There is no JSON')
  const written = vi.spyOn(type, 'coerceOutputValue')
  onTestFinished(() => written.mockRestore())
  return () => written.mock.calls.length
}

test('an item is executed once for all who select the same of it with the same rights; each is sent every item once and in order', async () => {
  const { projectId, secret } = await freshProject(world)
  const member = await freshUser(world, { member: { projectId, role: 'MEMBER' } })
  const query = 'subscription($after: String) { activity(after: $after) { id metadata } }'
  const same = Array.from({ length: 12 }, () => watch(bearer(secret), query))
  const byMember = watch({ projectId }, query, {}, { cookie: member.cookie, origin: url })
  const withVariable = 'subscription($all: Boolean!) { activity { id metadata @include(if: $all) } }'
  const [whole, part] = [watch(bearer(secret), withVariable, { all: true }), watch(bearer(secret), withVariable, { all: false })]
  await until(async () => (await watching(world)) === 15)
  const all = [...same, byMember, whole, part]
  // From then on all of them have joined the end of the log.
  await appendLines(world, projectId, 'first')
  await until(async () => all.every((items) => items.length === 1))
  for (const items of all) items.pop()
  const written = countJson()
  const names = Array.from({ length: 20 }, (_, n) => `item-${n}`)
  await appendLines(world, projectId, ...names)
  for (const items of [...same, byMember, whole]) {
    await until(async () => items.length === names.length)
    expect(items.map(({ metadata }) => metadata?.eventName)).toEqual(names)
  }
  await until(async () => part.length === names.length)
  expect(part.every((item) => item.metadata === undefined)).toBe(true)
  // For the keys, the member, and the one with a variable.
  expect(written()).toBe(3 * names.length)
})

test('what is executed for one project is nothing to another', async () => {
  const [one, other] = [await freshProject(world), await freshProject(world)]
  const query = 'subscription { activity { id metadata } }'
  const before = await watching(world)
  const [ofOne, ofOther] = [watch(bearer(one.secret), query), watch(bearer(other.secret), query)]
  await until(async () => (await watching(world)) === before + 2)
  await appendLines(world, one.projectId, 'of one')
  await appendLines(world, other.projectId, 'of other')
  await until(async () => ofOne.length > 0 && ofOther.length > 0)
  expect([ofOne, ofOther].map((items) => items.map(({ metadata }) => metadata?.eventName))).toEqual([['of one'], ['of other']])
})
