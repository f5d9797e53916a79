import { inspect } from 'node:util'
import { beforeAll, expect, test, vi } from 'vitest'
import { asker } from '../../help/ask.ts'
import { copyRows } from '../../help/copies.ts'
import { filledProject, relateAll } from '../../help/filled.ts'
import { type Field, type Listed, leavesOf, listed, nodeOf, selectionOf, typeOf } from '../../help/listed.ts'
import { freshUser } from '../../help/people.ts'
import { fewestQueriesOf, ofReads, queriesOf } from '../../help/queries.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

// Every field of every object, read of few objects and of many at once: relations are loaded in batches.
const { url, world } = await testServer()
const [few, many] = [2, 6]
// What the answer does not say of an unexpected error.
const logged: string[] = []
vi.spyOn(world.log, 'error').mockImplementation((...given: unknown[]) => void logged.push(inspect(given, { depth: 4 })))

type Ask = (query: string) => ReturnType<ReturnType<typeof asker>>
let asks: readonly [Ask, Ask]

/** A project that has so many of everything, as its owner reads it, who has as many projects. */
async function projectWith(count: number): Promise<Ask> {
  const { projectId } = await filledProject(world)
  await relateAll(world, projectId)
  await copyRows(world, projectId, count - 1)
  const others = await Promise.all(Array.from({ length: count - 1 }, () => freshProject(world)))
  const member = [projectId, ...others.map((one) => one.projectId)].map((id) => ({ projectId: id, role: 'OWNER' as const }))
  const { cookie } = await freshUser(world, { member })
  for (let more = 1; more < count; more++) await freshUser(world, { member: { projectId, role: 'MEMBER' } })
  return (query) => asker(url)(query, {}, { cookie, 'x-project-id': projectId })
}

beforeAll(async () => {
  asks = [await projectWith(few), await projectWith(many)]
})

const halvesOf = (fields: Field[]) => [fields.slice(0, fields.length >> 1), fields.slice(fields.length >> 1)]

/** The fields of a kind, of some that are read together, that take more statements the more objects there are. */
async function growing(kind: Listed, fields: Field[], inside = leavesOf): Promise<string[]> {
  const query = kind.query(`__typename ${fields.map((field) => selectionOf(field, few, inside(nodeOf(typeOf(field))))).join(' ')}`)
  const inHalves = async () => {
    const found: string[] = []
    for (const half of halvesOf(fields)) found.push(...(await growing(kind, half)))
    return found
  }
  const grows = async (count: typeof fewestQueriesOf) => {
    const [ofFew, ofMany] = [await count(() => asks[0](query), ofReads), await count(() => asks[1](query), ofReads)]
    return { errors: ofMany.reply.errors, more: ofMany.queries > ofFew.queries }
  }
  const { errors, more } = await grows(queriesOf)
  if (errors.some(({ message }) => message.includes('points of cost')) && inside === leavesOf)
    return fields.length > 1 ? inHalves() : growing(kind, fields, () => '__typename')
  expect(
    errors.map(({ message }) => message),
    `${query}\n${logged.join('\n')}`,
  ).toEqual([])
  if (!more || !(await grows(fewestQueriesOf)).more) return []
  return fields.length > 1 ? inHalves() : fields.map(({ name }) => `${kind.type.name}.${name}`)
}

const kinds = listed(many)

test('a field takes as many statements for many objects as for few: relations are loaded in batches (`loader`, `countsOf`, a selection)', async () => {
  const found: string[] = []
  for (const kind of kinds) found.push(...(await growing(kind, kind.fields)))
  expect(found).toEqual([])
})

test('a statement for each object is found: the recipients of campaigns are counted one by one, because each may have a hundred thousand', async () => {
  const campaigns = kinds.find(({ type }) => type.name === 'Campaign')
  const recipients = campaigns?.fields.filter(({ name }) => name === 'recipients') ?? []
  const withTotal = () => '__typename } totalCount edges { cursor'
  expect(campaigns && (await growing(campaigns, recipients, withTotal))).toEqual(['Campaign.recipients'])
})
