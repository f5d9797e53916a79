import ts from 'typescript'
import { expect, test } from 'vitest'
import { readCode } from './help/uses.ts'

const { modules, findWay } = readCode('src/kit', 'src/modules')

/** What waits for something other than Postgres and this thread: turns, timers, other threads, and what is outside of the process. */
const waits = [
  /#setTimeout$/,
  /^src\/kit\/(share\.ts#createShare|turns\.ts#createTurns|signal\.ts#createSignal|threads\.ts#createThreads)$/,
  /^src\/modules\/emails\/delivery\/transport\.ts#transportOf$/,
  /^@node-rs\/argon2#/,
  /#fetch$/,
  /^\.(dns|outbound|storage)$/,
]

/** What has timers and turns, but waits for Postgres alone. */
const ofPostgres = new Set(['src/kit/batch.ts#batch', 'src/kit/lanes.ts#batchInLanes'])

/** Fields that lead to a wait by name, but never wait, with the reason. */
const exceptions: Record<string, string> = {
  importContacts: 'only a file that is checked waits for a turn; this one is queued',
}

interface Field {
  name: string
  isMarked: boolean
  way: string[] | undefined
}

const search = { isWanted: (unit: string) => waits.some((one) => one.test(unit)), isPassedOver: (unit: string) => ofPostgres.has(unit) }

// Every object with a resolver is a field: of a query, a mutation, or an object they lead to.
function fieldsOf(module: (typeof modules)[number]): Field[] {
  const fields: Field[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const option = (name: string) => node.properties.find((property) => property.name?.getText() === name)
      const [resolve, extensions] = [option('resolve'), option('extensions')]
      if (resolve)
        fields.push({
          name: nameOf(node),
          isMarked: extensions?.getText().includes('waits: true') ?? false,
          way: findWay(module, resolve, search),
        })
    }
    ts.forEachChild(node, visit)
  }
  visit(module.node)
  return fields
}

// `name: t.field({ … })`, or `builder.queryField('name', (t) => t.field({ … }))`.
function nameOf(field: ts.Node): string {
  for (let at = field.parent; at; at = at.parent) {
    if (ts.isPropertyAssignment(at)) return at.name.getText()
    const names = ts.isCallExpression(at) ? at.arguments.filter(ts.isStringLiteral) : []
    const last = names.at(-1)
    if (last) return last.text
  }
  return '?'
}

const fields = modules.filter(({ imports }) => imports.get('builder') === 'src/kit/builder.ts#builder').flatMap(fieldsOf)

test('a field whose operation waits says so (`waits: true`), so that it holds no turn of large operations meanwhile', () => {
  const unmarked = fields.filter(({ name, isMarked, way }) => way && !isMarked && !(name in exceptions))
  expect(unmarked.map(({ name, way = [] }) => `${name}: ${way.join(' > ')}`)).toEqual([])
})

test('waits are found: for a worker, another server, a thread, a file, a password, a turn, and for other processes', () => {
  const found = new Map(fields.map(({ name, way }) => [name, way?.at(-1)]))
  const known = ['updateContact', 'verifyDomain', 'createTemplate', 'deleteUpload', 'logIn', 'createDomain', 'regenerateKeys']
  expect(known.map((name) => [name, found.get(name)])).not.toContainEqual([expect.anything(), undefined])
  expect(['trackEvent', 'contacts', 'createWorkflow'].map((name) => found.get(name))).toEqual([undefined, undefined, undefined])
  expect(Object.keys(exceptions).filter((name) => found.get(name) === undefined)).toEqual([])
})
