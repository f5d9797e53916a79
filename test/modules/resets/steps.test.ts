import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inRange } from '../../../src/modules/events/reader/sql.ts'
import { root, sources } from '../../help/sources.ts'

/** Tables of projects that no step erases, and what happens to their rows. */
const otherwise: Record<string, string> = {
  email_attachments: 'go with their content',
  domain_sendings: 'go with their domain',
  campaign_departures: 'go with their campaign',
  billing_remainders: 'go when they are reported, or after 35 days',
  campaign_link_visits: 'go with their email',
  workflow_steps: 'go with their workflow',
  workflow_transitions: 'go with their workflow',
  workflow_versions: 'go with their workflow',
  workflow_step_executions: 'go with their execution',
  workflow_calls: 'go with their execution',
  rate_windows: 'end by themselves after minutes',
  project_keys: 'go when the project is hidden',
  project_webhook_secrets: 'go when the project is hidden',
  memberships: 'go when the project is hidden',
  invitations: 'go when the project is hidden',
  upload_totals: 'go with the project, in the last transaction',
  resets: 'go with the project, in the last transaction',
}

const tables = sources('prisma/schema', /\.prisma$/).flatMap(({ text }) =>
  [...text.matchAll(/^model \w+ \{(.*?)^\}/gms)].flatMap(([, body = '']) =>
    /@map\("project_id"\)/.test(body) ? [/@@map\("(\w+)"\)/.exec(body)?.[1] ?? ''] : [],
  ),
)
// Plain erasers are in the sql.ts of a module; where erasing takes more, its erase.ts has a step that uses statements of sql.ts.
const statements = sources('src/modules', /\/sql\.ts$/)
const stepFunction = /^export async function (\w+)\([^)]*\bprojectId: string\): Promise<number> \{(.*?)^\}/gms
const operations = sources('src/modules', /\/erase\.ts$/).flatMap(({ path, text }) =>
  [...text.matchAll(stepFunction)].map(([, name = '', body = '']) => ({
    name,
    body,
    removes: removedBy(path, body, importedStatements(text)),
  })),
)
const plain = statements.flatMap(({ text }) =>
  [...text.matchAll(/^export const (\w+) = eraser\('(\w+)'/gm)].map(([, name = '', table = '']) => ({ name, table })),
)
// The tables from which an operation removes.
function removedBy(path: string, body: string, imports: string[]): string[] {
  const sql = statements.find((one) => one.path === path.replace('erase.ts', 'sql.ts'))?.text ?? ''
  return imports
    .filter((name) => new RegExp(`\\b${name}\\b`).test(body))
    .flatMap((name) => {
      const from = sql.search(new RegExp(`^export const ${name} = (statement|batchStatement)<`, 'm'))
      const statement = from === -1 ? '' : sql.slice(from, sql.indexOf('\n\n', from) >>> 0)
      return [...statement.matchAll(/delete from (\w+)/g)].map(([, table = '']) => table)
    })
}

const used = operations.flatMap(({ removes }) => removes)
const erased = new Set([...plain.map(({ table }) => table), ...used])
const steps = sources('src/modules/resets', /\/steps\.ts$/)[0]?.text ?? ''

function importedStatements(text: string): string[] {
  const [, names = ''] = /import \{([^}]*)\} from '\.\/sql\.ts'/.exec(text) ?? []
  return names.split(',').flatMap((name) => name.trim() || [])
}

test('every table of projects is emptied by a deletion (with an eraser in the sql.ts of its module, and a step in resets/steps.ts)', () => {
  expect(tables.length).toBeGreaterThan(25)
  expect(tables.filter((table) => !erased.has(table) && !(table in otherwise))).toEqual([])
  expect(Object.keys(otherwise).filter((table) => erased.has(table) || !tables.includes(table))).toEqual([])
})

const exported = await Promise.all(statements.map(async ({ path }) => Object.values<unknown>(await import(join(root, path)))))
const texts = exported.flat().flatMap((one) => (typeof one === 'object' && one !== null && 'text' in one ? [String(one.text)] : []))

test('what a reader of the log writes is removed behind it, since its batch under way may write for the project once more', () => {
  const written = texts
    .filter((text) => text.includes(inRange('e')))
    .flatMap((text) => [...text.matchAll(/insert into (\w+)/g)].map(([, table = '']) => table))
  expect(new Set(written).size).toBeGreaterThan(8)
  const isBehind = (table: string): boolean => {
    const names = plain.filter((one) => one.table === table).map(({ name }) => name)
    if (names.length > 0) return names.every((name) => new RegExp(`behindReader\\(\\w+, ${name}\\)`).test(steps))
    return operations.some(({ body, removes }) => body.includes('pauseReader') && removes.includes(table))
  }
  expect(written.filter((table) => tables.includes(table) && !(table in otherwise) && !isBehind(table))).toEqual([])
})

test('every erasing operation is a step', () => {
  expect(operations.map(({ name }) => name).sort()).toEqual([
    'eraseEventCounts',
    'eraseSomeContactEvents',
    'eraseSomeContacts',
    'eraseSomeContents',
    'eraseSomeEmails',
    'eraseSomeEvents',
    'eraseSomeUploads',
    'eraseSomeWaiting',
  ])
  const names = [...new Set([...operations, ...plain].map(({ name }) => name))]
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b[^']*$`).test(steps))).toEqual([])
})
