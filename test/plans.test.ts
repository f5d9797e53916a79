import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Executor, Statement } from '../src/kit/postgres/db.ts'
import { eraser, eraserOf } from '../src/kit/postgres/erase.ts'
import { large, nodesOf, type Plan } from './help/plan.ts'
import { fillTables } from './help/rows.ts'
import { root, sources } from './help/sources.ts'
import { freshDatabase } from './help/world.ts'

// Statements that do read the rows of a project for each of some others, of which there are few.
const exceptions: Record<string, string> = {
  emails_select_source: 'of one email',
  domains_select_sendings: 'of at most 50 domains; it stops at a few',
  emails_undo_claims: 'of at most three lanes',
  events_count_visible: 'of deleted contacts, for the lines of names that are being removed',
}

const client = new pg.Client({ connectionString: await freshDatabase() })
await client.connect()
afterAll(() => client.end())
beforeAll(() => fillTables(client, { project: 'prj_1', rows: 2_000 }))

// Where a condition compares a column of one table with that of another: the names of both.
const compared = (condition = ''): string[] =>
  [...condition.matchAll(/\b(\w+)\.\w+ = (\w+)\.\w+/g)].flatMap(([, one = '', other = '']) => (one === other ? [] : [one, other]))

/** Which large tables a plan reads for each row of another one, looking up no more than the project. */
function repeated(plan: Plan): string[] {
  const found: string[] = []
  const byProject = (scan: Plan) =>
    large.has(scan['Relation Name'] ?? '') && !new RegExp(`\\b${scan.Alias}\\.(?!project_id)\\w+ [<>=]`).test(scan['Index Cond'] ?? '')
  for (const node of nodesOf(plan)) {
    if (byProject(node) && compared(node.Filter).includes(node.Alias ?? '')) found.push(node['Relation Name'] ?? '')
    if (node['Node Type'] !== 'Nested Loop') continue
    const joined = compared(node['Join Filter'])
    const scans = (node.Plans ?? []).flatMap(nodesOf).filter((scan) => byProject(scan) && joined.includes(scan.Alias ?? ''))
    found.push(...scans.map((scan) => scan['Relation Name'] ?? ''))
  }
  return found
}

const isStatement = (value: unknown): value is Statement<unknown> =>
  typeof value === 'object' && value !== null && 'name' in value && 'text' in value

const files = sources('src/modules', /\/sql\.ts$/)
const exported = await Promise.all(files.map(async ({ path }) => Object.values<unknown>(await import(join(root, path)))))
const statements = exported.flat().filter((one) => isStatement(one) && /^\s*(with|select|insert|update|delete)\b/.test(one.text))

test('before Postgres has statistics, no statement reads the rows of a project once for each of others', async () => {
  const slow: string[] = []
  for (const { name, text } of statements as Statement<unknown>[]) {
    const { rows } = await client.query(`explain (generic_plan, verbose, format json) ${text}`)
    const tables = repeated(rows[0]['QUERY PLAN'][0].Plan)
    if (tables.length > 0 && !(name in exceptions)) slow.push(`${name}: ${tables.join(', ')}`)
  }
  expect(statements.length).toBeGreaterThan(300)
  expect(slow).toEqual([])
})

/** Which tables a plan reads up to a limit again for each of other rows: all that is deleted in a batch for each row of the table. */
function batchesRepeated(plan: Plan): string[] {
  const joined = nodesOf(plan).filter((node) => node['Node Type'] === 'Nested Loop' && node['Join Type'] === 'Semi')
  const repeated = joined.flatMap(({ Plans = [] }) => Plans.filter((part) => part['Parent Relationship'] === 'Inner'))
  const limited = repeated.filter(
    (part) => part['Node Type'] !== 'Materialize' && nodesOf(part).some((node) => node['Node Type'] === 'Limit'),
  )
  return limited.flatMap((part) => nodesOf(part).flatMap((node) => node['Relation Name'] ?? []))
}

test('what a statement deletes or changes in a batch is chosen once, and by no plan from when its table was empty', async () => {
  const empty = new pg.Client({ connectionString: await freshDatabase() })
  await empty.connect()
  onTestFinished(() => empty.end())
  await empty.query('analyze')
  const erasers: Statement<unknown>[] = []
  const run: Executor['run'] = async (one) => {
    erasers.push(one)
    return []
  }
  for (const name of large) {
    await eraser(name, 'project_id', 1)({ run }, 'prj_1')
    await eraserOf(name, { of: 'project_id', key: 'project_id', max: 1 })({ run }, 'prj_1', 'prj_1')
  }
  const slow: string[] = []
  for (const { name, text, planned } of [...(statements as Statement<unknown>[]), ...erasers]) {
    const { rows } = await empty.query(`explain (generic_plan, format json) ${text}`)
    const tables = batchesRepeated(rows[0]['QUERY PLAN'][0].Plan)
    if (tables.length > 0) slow.push(`${name}: ${tables.join(', ')}`)
    if (!planned && /any\(array\(\s*select/.test(text)) slow.push(`${name}: not a batchStatement`)
  }
  expect(erasers.length).toBe(2 * large.size)
  expect(slow).toEqual([])
})
