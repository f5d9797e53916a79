import ts from 'typescript'
import { expect, test } from 'vitest'
import type { Access } from '../src/kit/access.ts'
import { accessOf } from '../src/kit/field-access.ts'
import { isWriteRoute } from '../src/kit/route.ts'
import { schema } from '../src/server/graphql/schema.ts'
import { routes } from '../src/server/routes.ts'
import { sources } from './help/sources.ts'
import { all } from './help/syntax.ts'
import { type Part, readCode } from './help/uses.ts'
import { writtenFields } from './help/written-fields.ts'

const { modules, findWay, findOperation } = readCode('src/kit', 'src/modules')

/** Operations that only admins may use, or that write what belongs to a project itself, but write no line of it in the log, with the reason. */
const exceptions: Record<string, string> = {
  createCheckout: 'stores who the project is at the payment provider, which reports what was bought',
  createProject: 'what is new has not changed',
  deleteProject: 'the log is deleted with the project',
  openBillingPortal: 'changes nothing here',
  resetProject: 'a worker writes the line once everything is gone',
}

/** The tables of projects: their settings, keys, members and domains. */
const tables = sources('prisma/schema', /\/(projects|domains)\.prisma$/).flatMap(({ text }) =>
  [...text.matchAll(/^model (\w)(\w+) \{[\s\S]*?@@map\("(\w+)"\)/gm)].map(([, first = '', rest, table]) => ({
    model: `${first.toLowerCase()}${rest}`,
    table,
  })),
)
const named = (name: 'model' | 'table') => tables.map((one) => one[name]).join('|')
const writes = [
  new RegExp(`\\b(?:insert\\s+into|delete\\s+from|update)\\s+(?:only\\s+)?"?(?:${named('table')})\\b`, 'i'),
  new RegExp(`\\beraser(?:Of)?\\('(?:${named('table')})'`),
  new RegExp(`\\.(?:${named('model')})\\s*\\.(?:create|update|upsert|delete)\\w*\\(`),
]
const writers = new Set(
  modules.flatMap(({ path, declared }) =>
    [...declared].flatMap(([name, node]) => (writes.some((write) => write.test(node.getText())) ? [`${path}#${name}`] : [])),
  ),
)

type Operation = Part & { name: string; who: Access | undefined }

const rows = routes.filter(isWriteRoute).flatMap(({ name, access }): Operation[] => {
  const operation = findOperation(name)
  return operation ? [{ name, who: access, ...operation }] : []
})
const written = new Map(writtenFields(modules).map((field) => [field.name, field]))
const mutations = Object.values(schema.getMutationType()?.getFields() ?? {}).flatMap((field): Operation[] => {
  const { module, resolve } = written.get(field.name) ?? {}
  return module && resolve ? [{ name: field.name, who: accessOf(field)?.who, module, part: resolve }] : []
})

const silent = [...rows, ...mutations].flatMap(({ name, who, module, part }) => {
  const write = findWay(module, part, { isWanted: (unit) => writers.has(unit) })
  const isRecorded = findWay(module, part, { isWanted: (unit) => unit === 'src/modules/projects/changes.ts#recordChange' })
  return (who?.startsWith('admin') || write) && !isRecorded ? [{ name, way: write?.join(' > ') ?? `only for ${who}` }] : []
})

test('what changes settings, keys, members or domains writes its line in the log (`recordChange`), in the same transaction', () => {
  expect(silent.filter(({ name }) => !(name in exceptions)).map(({ name, way }) => `${name}: ${way}`)).toEqual([])
  expect(Object.keys(exceptions).filter((name) => !silent.some((one) => one.name === name))).toEqual([])
})

test('a line is written by the transaction of its change: where nothing else is done in it, the change was made before', () => {
  const alone = modules.flatMap(({ path, node }) =>
    all(node, (part) => ts.isCallExpression(part) && part.expression.getText() === 'recordChange').flatMap((call) => {
      const tx = (call as ts.CallExpression).arguments[1]?.getText() ?? ''
      const uses = all(opening(call, tx), (part) => ts.isIdentifier(part) && part.text === tx)
      // As a parameter, and for the line.
      return uses.length > 2 ? [] : [`${path}: ${call.getText()}`]
    }),
  )
  expect(alone).toEqual([])
})

/** The function whose parameter a transaction is. */
function opening(part: ts.Node, tx: string): ts.Node {
  if (ts.isSourceFile(part) || (ts.isFunctionLike(part) && part.parameters.some(({ name }) => name.getText() === tx))) return part
  return opening(part.parent, tx)
}

test('the statements are found that write settings, keys, members and domains, and what uses them', () => {
  expect(tables.length).toBeGreaterThan(5)
  const names = [...writers].map((unit) => unit.split('#')[1])
  expect(names).toEqual(expect.arrayContaining(['updateSettings', 'replaceKeys', 'replaceWebhookSecret', 'changeRole', 'insertDomain']))
  expect(rows.length).toBeGreaterThan(70)
  expect(mutations.map(({ name }) => name)).toEqual(Object.keys(schema.getMutationType()?.getFields() ?? {}))
})
