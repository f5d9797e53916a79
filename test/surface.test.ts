import { readFile } from 'node:fs/promises'
import { isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { accessOf } from '../src/kit/field-access.ts'
import { schema } from '../src/server/graphql/schema.ts'
import { pages, routes } from '../src/server/routes.ts'
import { documentedRows } from './help/documented.ts'

/** Rows of ours beyond the documented interface, and why they are there. */
const beyond: Record<string, string> = {
  'GET /healthz': 'for load balancers',
  'GET /readyz': 'for load balancers',
  'GET /users/@me/projects/:id': 'one project, as the list has it',
  'GET /auth/invitations/:token': 'what the page of an invitation shows',
  'POST /auth/accept-invitation': 'an invitation by mail must be taken somewhere',
  'DELETE /projects/:id/invitations/:invitationId': 'and can be taken back',
  'DELETE /users/@me': 'people may leave',
  'PATCH /users/@me/password': 'changed without a mail',
  'GET /users/@me/sessions': 'where somebody is signed in',
  'DELETE /users/@me/sessions/:id': 'ends one of them, such as a lost device',
}

const lines = async (file: string): Promise<string[]> =>
  (await readFile(new URL(file, import.meta.url), 'utf8')).split('\n').filter(Boolean)
const documented = [...documentedRows.keys()]
const missing = await lines('missing.txt')
const served = routes.map(({ method, path }) => `${method} ${path}`)

function statusOf({ notes: { status = 200 } }: (typeof routes)[number]): string {
  return typeof status === 'number' ? String(status) : status.all.join('|')
}

function surface(): string {
  const rows = routes.map(
    (row) => `${row.method.padEnd(7)}${row.path.padEnd(48)}${row.access.padEnd(15)}${statusOf(row).padEnd(9)}${row.name}`,
  )
  const shown = pages.map(({ method, path }) => `${method.padEnd(7)}${path.padEnd(48)}page`)
  return `${[...rows.sort(byPath), ...shown.sort(byPath), ...fields()].join('\n')}\n`
}

// What may be asked for in GraphQL, and the fields of objects that say themselves who may.
function fields(): string[] {
  const roots = ['Query', 'Mutation', 'Subscription']
  const rest = Object.keys(schema.getTypeMap()).filter((name) => !roots.includes(name))
  return [...roots, ...rest.sort()].flatMap((name) => {
    const type = schema.getType(name)
    const declared = isObjectType(type) ? Object.values(type.getFields()).filter((field) => accessOf(field)) : []
    return declared.map((field) => `GraphQL ${`${name}.${field.name}`.padEnd(47)}${accessOf(field)?.who}`).sort()
  })
}

function byPath(one: string, other: string): number {
  const key = (row: string) => `${row.slice(7)} ${row}`
  return key(one) < key(other) ? -1 : 1
}

test('surface.txt lists every endpoint: method, path, who may call, status, operation; and every field of GraphQL with who may ask for it (vitest -u writes it)', async () => {
  await expect(surface()).toMatchFileSnapshot('surface.txt')
})

test('every documented row is served, except those of missing.txt', () => {
  expect(documented.filter((row) => !served.includes(row)).sort()).toEqual(missing)
})

function says(row: string): string {
  const { access, status } = documentedRows.get(row) ?? { access: '', status: '' }
  return `${access} ${status}`
}

test('every documented row is for whom, and answers as, it is documented', () => {
  const differing = routes
    .map((row) => ({ row: `${row.method} ${row.path}`, is: `${row.access} ${statusOf(row).split('|').sort().join('|')}` }))
    .filter(({ row, is }) => documentedRows.has(row) && says(row) !== is)
    .map(({ row, is }) => `${row} is ${is}, documented ${says(row)}`)
  expect(differing).toEqual([])
})

test('every row that is served is documented or listed as ours, with the reason', () => {
  expect(served.filter((row) => !documented.includes(row) && !(row in beyond))).toEqual([])
  expect(Object.keys(beyond).filter((row) => !served.includes(row) || documented.includes(row))).toEqual([])
})

test('no row is served twice, and every operation has one name', () => {
  expect(new Set(served).size).toBe(served.length)
  for (const { name, method, path } of routes) expect(name, `${method} ${path}`).toMatch(/^[a-z]+[A-Z]\w+$/)
})
