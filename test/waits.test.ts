import { expect, test } from 'vitest'
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
