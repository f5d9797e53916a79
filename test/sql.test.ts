import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Statement } from '../src/kit/postgres/db.ts'
import { root, sources } from './help/sources.ts'

// The server queries Postgres for health checks and metrics.
const allowed = /^src\/(kit\/|server\/(system|metrics)\.ts$|generated\/)/

test('hand-written SQL of modules is in sql.ts files', () => {
  const elsewhere = sources('src', /\.ts$/).flatMap(({ path, text }) =>
    !allowed.test(path) && !/\/sql\.ts$/.test(path) && /\b(statement|batchStatement|eraser|eraserOf)\s*(<[^>(]*>)?\(/.test(text)
      ? [path]
      : [],
  )
  expect(elsewhere).toEqual([])
})

interface Declared extends Statement<unknown> {
  path: string
  constant: string
}

const files = sources('src/modules', /\/sql\.ts$/)
const statements = (await Promise.all(files.map(({ path }) => declaredIn(path)))).flat()

async function declaredIn(path: string): Promise<Declared[]> {
  const exported = Object.entries<unknown>(await import(join(root, path)))
  return exported.flatMap(([constant, value]) => (isStatement(value) ? [{ ...value, path, constant }] : []))
}

function isStatement(value: unknown): value is Statement<unknown> {
  return typeof value === 'object' && value !== null && 'name' in value && 'text' in value
}

test('no two statements have the same name: Postgres would prepare one of them for both', () => {
  const named = Map.groupBy(
    statements.filter(({ name }) => name !== ''),
    ({ name }) => name,
  )
  const twice = [...named].filter(([, those]) => new Set(those.map(({ text }) => text)).size > 1)
  expect(twice.map(([name, those]) => `${name}: ${those.map(({ path }) => path).join(', ')}`)).toEqual([])
})

test('every statement of a module is exported, so that the tests below read it', () => {
  const declared = files.flatMap(({ path, text }) =>
    [...text.matchAll(/(\w+)\s*=\s*(?:statement|batchStatement)</g)].map(([, constant]) => `${path} ${constant}`),
  )
  expect(declared.length).toBeGreaterThan(100)
  expect(declared.filter((name) => !statements.some(({ path, constant }) => name === `${path} ${constant}`))).toEqual([])
})

test('a prepared statement has the name of its module and its constant', () => {
  const snake = (constant: string) => constant.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const other = statements.flatMap(({ path, constant, name }) => {
    const expected = `${path.split('/')[2]}_${snake(constant)}`
    return name === expected ? [] : [`${path} ${constant}: ${name}, not ${expected}`]
  })
  expect(other).toEqual([])
  // Postgres cuts longer names, so that two could become one.
  expect(statements.filter(({ name }) => name.length > 63)).toEqual([])
})

// Compared with a parameter, a column of rows that a parameter holds, or inserted from a parameter.
const limits: readonly RegExp[] = [
  /\(select \$\d::text as project_id, \w+\.\w+[^;]*? from unnest\(\$\d[^;]* offset 0\)/,
  /\bproject_id = (any\()?\$\d/,
  /\bproject_id <= \$(\d) and \(\w+\.project_id, [^)]*\) > \(\$\1,/,
  /\(\w+\.project_id, [^)]*\) in \(select \* from unnest\(\$\d/,
  /\b(unnest|json_to_recordset)\(\$\d[^;]*?\)( with ordinality)?\s+(as )?\w+\s?\([^)]*\bproject_id\b/,
  /insert into \w+( as \w+)? \(project_id,[^)]*\)\s+(values \(|select )\$\d/,
]

test('a statement is limited to projects that a parameter names, or says why not', () => {
  const unlimited = statements.filter(({ text, allProjects }) => allProjects === undefined && !limits.some((limit) => limit.test(text)))
  expect(unlimited.map(({ path, constant }) => `${basename(dirname(path))}: ${constant}`)).toEqual([])
})

// The tables with a project_id, and how statements name them: with an alias, or by themselves.
const tenantTables = new Set(
  sources('prisma/schema', /\.prisma$/)
    .flatMap(({ text }) => text.match(/^model [\s\S]*?^\}/gm) ?? [])
    .flatMap((model) => (/\bproject_id\b/.test(model) ? (/@@map\("(\w+)"\)/.exec(model)?.[1] ?? []) : [])),
)
const notAlias =
  'where|on|set|using|join|left|right|inner|cross|full|as|order|group|limit|for|returning|values|select|union|tablesample|and'
const reference = new RegExp(`\\b(?:from|join|using|update)\\s+(?:only\\s+)?(\\w+)(?:\\s+as)?(?:\\s+(?!(?:${notAlias})\\b)(\\w+))?`, 'g')

/** How often a statement compares the project of a table, by its alias or without one: a mention, as in a list, compares nothing. */
function comparisonsOf(column: string, text: string, alias?: string): number {
  const forms = [
    `${column}\\s*(?:=|<=|in\\b)`,
    `(?:=|<=)\\s*(?:any\\s*)?\\(?\\s*${column}`,
    `\\(${column}[^()]*\\)\\s*(?:=|in\\b|>)`,
    `\\bjoin\\s+${alias === undefined ? '\\w+' : `\\w+\\s+(?:as\\s+)?${alias}`}\\s+using\\s*\\([^)]*\\bproject_id\\b`,
  ]
  return (text.match(new RegExp(forms.join('|'), 'g')) ?? []).length
}

/** The tenant tables of a statement that nothing compares with a project: each needs a condition of its own, with its alias or without. */
function untied(text: string): string[] {
  const named = [...text.matchAll(reference)].filter(([, table = '']) => tenantTables.has(table))
  const uses = Map.groupBy(named, ([, table = '', alias = table]) => alias)
  const short = [...uses].filter(([alias, each]) => comparisonsOf(`\\b${alias}\\.project_id\\b`, text, alias) < each.length)
  const aliases = short.flatMap(([alias, each]) => each.map(() => alias))
  const unnamed = aliases.filter((alias) => tenantTables.has(alias))
  return aliases.filter((alias) => !unnamed.includes(alias) || comparisonsOf('(?<![\\w.])project_id\\b', text) < unnamed.length)
}

test('every table of a statement is tied to a project, and not only one of them', () => {
  expect(tenantTables.size).toBeGreaterThan(30)
  const limited = statements.filter(({ allProjects }) => allProjects === undefined)
  const loose = limited.map(({ constant, path, text }) => ({ name: `${basename(dirname(path))}: ${constant}`, tables: untied(text) }))
  const hint = 'compare `project_id` of each of these tables, with its alias where it has one: a mention in a list ties nothing'
  expect(
    loose.filter(({ tables }) => tables.length > 0),
    hint,
  ).toEqual([])
})

test('a table that is joined without its project does not pass', () => {
  expect(untied('select n.id from contacts c join emails e on e.id = c.id where c.project_id = $1')).toEqual(['e'])
  expect(untied('select n.id from contacts c join emails on emails.id = c.id where c.project_id = $1')).toEqual(['emails'])
  expect(untied('select id from contacts where project_id = $1 and exists (select from emails where id = $2)')).toEqual([
    'contacts',
    'emails',
  ])
  expect(untied('select e.id from contacts c join emails e on e.project_id = c.project_id where c.project_id = $1')).toEqual([])
  expect(untied('select id, project_id, email from contacts where email in (select name from templates where project_id = $1)')).toEqual([
    'contacts',
    'templates',
  ])
  expect(untied('select e.id from contacts c join emails e using (project_id, id) where c.project_id = $1')).toEqual([])
})

test.each([
  'select c.email, c.project_id from templates t join contacts c on c.email = t.name where t.project_id = $1',
  'select c.email from templates t join contacts c on c.email = t.name where t.project_id = $1 order by c.project_id, c.email',
  'select (c.project_id, c.id) from templates t join contacts c on c.email = t.name where t.project_id = $1',
  'select 1 from contacts c where c.project_id = $1 union select 1 from contacts c where c.email = $2',
])('a table whose project is only mentioned, or compared elsewhere, does not pass: %s', (text) => {
  expect(untied(text)).toContain('c')
})

test('a statement that only mentions project_id does not pass for one that is limited by it', () => {
  const passes = (text: string) => limits.some((limit) => limit.test(text))
  expect(passes('select project_id from memberships where user_id = $1')).toBe(false)
  expect(passes('select 1 from contacts c join emails e on e.project_id = c.project_id where e.id = $1')).toBe(false)
  expect(passes('select 1 from contacts c where c.project_id = $1 and c.id = $2')).toBe(true)
})

/** Whether a condition names the project as one of several alternatives, at the same level: rows of other projects match another one. */
function isAlternative(text: string): boolean {
  let rest = text
  const levels: string[] = []
  for (let inner = /\(([^()]*)\)/.exec(rest); inner; inner = /\(([^()]*)\)/.exec(rest)) {
    levels.push(inner[1] ?? '')
    rest = rest.replace(inner[0], () => '…')
  }
  const conditions = [...levels, rest].flatMap((level) => level.split(/\b(?:where|on)\b/).slice(1))
  const ended = /\b(?:union|group by|order by|returning|limit|select|join|then|else|end|set|from)\b/
  return conditions
    .map((condition) => condition.split(ended)[0] ?? '')
    .some((condition) => /\bproject_id\s*(?:=|in\b)/.test(condition) && /\bor\b/.test(condition))
}

test('no condition names the project as one of several alternatives', () => {
  expect(
    statements.filter(({ text }) => isAlternative(text)).map(({ path, constant }) => `${basename(dirname(path))}: ${constant}`),
  ).toEqual([])
  expect(isAlternative('select 1 from notes n where n.project_id = $1 or n.id = $2')).toBe(true)
  expect(isAlternative('select 1 from notes n where n.project_id = $1 and (n.id = $2 or n.name = $3)')).toBe(false)
})

test('no statement asks for the type of a segment: what a type is stands in the table of kinds', () => {
  expect(statements.filter(({ text }) => /'(STATIC|DYNAMIC)'/.test(text)).map(({ name }) => name)).toEqual([])
})

test('only the readers of the log know their table: other modules pause one through its operation', () => {
  const elsewhere = sources('src', /\.ts$/).filter(
    ({ path, text }) => !path.startsWith('src/modules/events/reader/') && /\blog_readers\b/.test(text),
  )
  expect(elsewhere.map(({ path }) => path)).toEqual([])
})
