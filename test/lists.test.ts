import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isWriteRoute } from '../src/kit/route.ts'
import { routes } from '../src/server/routes.ts'
import { asker } from './help/ask.ts'
import { filledProject } from './help/filled.ts'
import { freshFolder } from './help/folder.ts'
import { type Field, listed, selectionOf } from './help/listed.ts'
import { large, nodesOf, type Plan } from './help/plan.ts'
import { statementsOf } from './help/queries.ts'
import { fillTables } from './help/rows.ts'
import { testServer } from './help/server.ts'
import { snsTwin } from './help/sns.ts'
import { fakeStripe } from './help/stripe.ts'
import { successOf } from './help/successes/calls.ts'
import { callerOf, given, pathOf } from './help/successes/given.ts'
import { freshDatabase } from './help/world.ts'

// Every list that is sent to Postgres when each row of REST and each field of GraphQL is read, without filters, is planned for tables of
// one project: a list needs no entry anywhere.

/** Lists that do, with the reason. */
const exceptions: Record<string, string> = {
  'GET /contacts/fields/:field/values sorts contacts':
    'the values of a field are found in all contacts, in the turns of scans, and cached for a minute',
}

const [stripe, sns] = [await fakeStripe(), snsTwin()]
const server = await testServer({ env: { ...stripe.env, ...sns.env, DATA_DIR: await freshFolder() } })
const ask = asker(server.url)
const client = new pg.Client({ connectionString: await freshDatabase() })
await client.connect()
afterAll(() => client.end())

/** What rows of REST that read send to Postgres, each called as it may be called with the least. */
async function statementsOfRows(): Promise<Map<string, string>> {
  const from = new Map<string, string>()
  for (const route of routes.filter((one) => !isWriteRoute(one))) {
    const name = `${route.method} ${route.path}`
    const project = await given(server, { stripe, sns })
    const { params, query, as = callerOf(route, project) } = await successOf(`${name} 200`, project)
    const path = pathOf(route, project, params)
    const texts = await statementsOf(async () => {
      const { status } = await server.call(`${route.method} ${path}${query ?? ''}`, undefined, as)
      expect(status, name).toBeLessThan(400)
    })
    for (const text of texts) from.set(text, name)
  }
  return from
}

/** What the fields of GraphQL send to Postgres, each read of some objects. */
async function statementsOfFields(): Promise<Map<string, string>> {
  const from = new Map<string, string>()
  const { projectId, owner } = await filledProject(server.world)
  const read = (field: Field) => selectionOf(field, 2, '__typename')
  for (const { type, query, fields } of listed(2))
    for (const field of fields) {
      const texts = await statementsOf(async () => {
        const { errors } = await ask(query(read(field)), {}, { cookie: owner.cookie, 'x-project-id': projectId })
        expect(
          errors.map(({ message }) => message),
          field.name,
        ).toEqual([])
      })
      for (const text of texts) from.set(text, `${type.name}.${field.name}`)
    }
  return from
}

const sentBy = new Map<string, string>()

beforeAll(async () => {
  await fillTables(client, { project: 'prj_1', rows: 2_000 })
  // So that Postgres sorts, or reads a whole table, only where no index serves.
  await client.query('set enable_seqscan = off; set enable_sort = off; set enable_bitmapscan = off')
  for (const sent of [await statementsOfRows(), await statementsOfFields()]) for (const [text, by] of sent) sentBy.set(text, by)
}, 240_000)

async function planOf(text: string): Promise<Plan> {
  const { rows } = await client.query(`explain (generic_plan, format json) ${text}`)
  return rows[0]['QUERY PLAN'][0].Plan
}

/** The rows that a node reads before it returns the first one, if it has to read all: not those of a limit, or of what is looked up beside. */
function readWhole(node: Plan): Plan[] {
  if (node['Node Type'] === 'Limit') return []
  const inputs = (node.Plans ?? []).filter((plan) => !/^(SubPlan|InitPlan)$/.test(plan['Parent Relationship'] ?? ''))
  return [node, ...inputs.flatMap(readWhole)]
}

// A condition compares a column of the scan with something, or a column of another one with it.
const columnsIn = (condition = '', operators = '[<>=]') =>
  [...condition.matchAll(new RegExp(`\\((\\w+) ${operators}|\\w\\.\\w+ ${operators} (\\w+)\\)`, 'g'))].map(
    ([, one, other]) => one ?? other ?? '',
  )
const isKey = (column: string) => column === 'project_id' || column === 'id'

/** Whether a scan may read any number of rows. */
const isLarge = (scan: Plan) =>
  large.has(scan['Relation Name'] ?? '') && ![scan['Index Cond'], scan.Filter].some((condition) => columnsIn(condition, '=').includes('id'))

/** What a list does that takes longer the more rows its project has. */
function faultsOf(plan: Plan): string[] {
  const nodes = nodesOf(plan)
  const sorted = nodes.filter((node) => /Sort$/.test(node['Node Type'])).flatMap(readWhole)
  const passed = nodes.filter((node) => columnsIn(node['Index Cond']).every(isKey) && !columnsIn(node.Filter, '=').every(isKey))
  const read = nodes.filter((node) => node['Node Type'] === 'Seq Scan')
  return [
    ...sorted.filter(isLarge).map((node) => `sorts ${node['Relation Name']}`),
    ...passed.filter(isLarge).map((node) => `looks through ${node['Relation Name']} for ${node.Filter}`),
    ...read.filter(isLarge).map((node) => `reads all ${node['Relation Name']}`),
  ]
}

test('a list has an index: it reads the rows of a page in their order, and neither sorts those of a project nor looks through them', async () => {
  const lists = [...sentBy].filter(([text]) => /^\s*(with|select)\b/i.test(text) && /\blimit\b/i.test(text))
  expect(lists.length).toBeGreaterThan(80)
  const found: string[] = []
  for (const [text, by] of lists) for (const fault of faultsOf(await planOf(text))) found.push(`${by} ${fault}`)
  expect(found.filter((one) => !(one in exceptions))).toEqual([])
  expect(Object.keys(exceptions).filter((one) => !found.includes(one))).toEqual([])
})

test.each([
  ['order by sent_at limit $2', ['sorts emails']],
  ['and to_address = $2 order by id limit $3', ['looks through emails for (to_address = $2)']],
  ['and contact_id = $2 order by sent_at limit $3', ['sorts emails']],
  ['and contact_id = $2 order by id limit $3', []],
  ['and id = any($2) order by sent_at limit $3', []],
])('a list without an index is found: emails %s', async (rest, faults) => {
  expect(faultsOf(await planOf(`select id from emails where project_id = $1 ${rest}`))).toEqual(faults)
})
