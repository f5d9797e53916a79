import ts from 'typescript'
import { expect, test } from 'vitest'
import { schema } from '../src/server/graphql/schema.ts'
import { all } from './help/syntax.ts'
import { readCode } from './help/uses.ts'
import { writtenFields } from './help/written-fields.ts'

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

const search = { isWanted: (unit: string) => waits.some((one) => one.test(unit)), isPassedOver: (unit: string) => ofPostgres.has(unit) }

const fields = writtenFields(modules).map(({ name, module, resolve, extensions }) => ({
  name,
  isMarked: extensions.includes('waits: true'),
  way: findWay(module, resolve, search),
}))

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

test('a subscription waits for announcements: it has what changed from the tail of the log or from a watcher, and asks for nothing by itself', () => {
  const shared = ['src/kit/watch.ts#watcherOf', 'src/modules/events/tail/tail.ts#watchLog']
  const isSubscribe = (node: ts.Node) =>
    ts.isPropertyAssignment(node) && node.name.getText() === 'subscribe' && !ts.isStringLiteral(node.initializer)
  const subscriptions = modules
    .filter(({ path }) => path.endsWith('/graphql.ts'))
    .flatMap((module) => all(module.node, isSubscribe).map((part) => ({ module, part })))
  expect(subscriptions).toHaveLength(Object.keys(schema.getSubscriptionType()?.getFields() ?? {}).length)
  const alone = subscriptions.filter(({ module, part }) => !findWay(module, part, { isWanted: (unit) => shared.includes(unit) }))
  expect(alone.map(({ module, part }) => `${module.path}: ${part.getText()}`)).toEqual([])
})
