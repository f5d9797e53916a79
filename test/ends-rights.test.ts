import ts from 'typescript'
import { expect, test } from 'vitest'
import { schema } from '../src/server/graphql/schema.ts'
import { routes } from '../src/server/routes.ts'
import { readCode } from './help/uses.ts'
import { writtenFields } from './help/written-fields.ts'

const { modules, findWay, findOperation } = readCode('src/kit', 'src/modules')

/** What announces that sessions, memberships or keys have changed, or what they may do. */
const announced = ['src/modules/users/topics.ts#sessionsTopic', 'src/modules/projects/keys.ts#keysTopic']

/** What deletes or changes rows that give rights: of sessions, memberships, keys, users and projects. */
const writes = [
  /\b(?:delete\s+from|update)\s+(?:only\s+)?"?(?:sessions|memberships|project_keys|users|projects)\b/i,
  /\binsert\s+into\s+"?(?:sessions|memberships|project_keys|users|projects)\b[\s\S]*\bon\s+conflict\b[\s\S]*\bdo\s+update\b/i,
  /\beraser(?:Of)?\('(?:sessions|memberships|project_keys|users|projects)'/,
  /\.(?:session|membership|projectKey|user|project)\s*\.(?:update|updateMany|updateManyAndReturn|upsert|delete|deleteMany)\(/,
]

/** Statements that write such rows, but take no right from anybody, with the reason. */
const harmless: Record<string, string> = {
  'src/modules/projects/sql.ts#updateSettings': 'name, tracking, language and labels give nobody a right',
  'src/modules/users/sql.ts#markVerified': 'whoever has verified their address may do more',
  'src/modules/auth/sessions/sql.ts#renewSession': 'a session lasts longer',
}

/** Mutations that announce such a change, but never take a right from their caller, with the reason. */
const exceptions: Record<string, string> = {
  acceptInvitation: 'adds a membership',
  createProject: 'adds a membership',
  joinProject: 'adds a membership',
  logIn: 'opens a session for whoever has the password; at most the oldest of a hundred ends',
  signUp: 'opens the first session of an account',
}

const writers = modules.flatMap(({ path, declared }) =>
  [...declared].flatMap(([name, node]) => (writes.some((write) => write.test(node.getText())) ? [`${path}#${name}`] : [])),
)
const ending = new Set(writers.filter((unit) => !(unit in harmless)))
const isEnding = { isWanted: (unit: string) => ending.has(unit) }
const isAnnounced = { isWanted: (unit: string) => announced.includes(unit) }

const mutations = Object.values(schema.getMutationType()?.getFields() ?? {})
const written = new Map(writtenFields(modules).map((field) => [field.name, field]))
const ways = mutations.map(({ name, extensions }) => {
  const field = written.get(name)
  const wayTo = (search: typeof isEnding) => field && findWay(field.module, field.resolve, search)
  const [write, notice] = [wayTo(isEnding), wayTo(isAnnounced)]
  return { name, isMarked: extensions.endsRights === true, isWritten: field !== undefined, write, notice }
})
const rows = routes.flatMap(({ method, path, name, variant }) =>
  [name, ...(variant ? [variant.name] : [])].map((one) => {
    const operation = findOperation(one)
    const wayTo = (search: typeof isEnding) => operation && findWay(operation.module, operation.part, search)
    return { name: `${method} ${path}`, write: wayTo(isEnding), notice: wayTo(isAnnounced) }
  }),
)

test('a mutation that may end rights of its caller says so (`endsRights: true`), so that it stands alone in its operation', () => {
  const unmarked = ways.flatMap(({ name, isMarked, write, notice }) => {
    const way = write ?? notice
    return way && !isMarked && !(name in exceptions) ? [`${name}: ${way.join(' > ')}`] : []
  })
  expect(unmarked).toEqual([])
})

test('what deletes or changes sessions, memberships, keys, users or projects announces it (`announceUser`, or the notice `keysTopic`)', () => {
  const silent = [...ways, ...rows].flatMap(({ name, write, notice }) => (write && !notice ? [`${name}: ${write.join(' > ')}`] : []))
  expect(silent).toEqual([])
})

// Each statement of what starts jobs and readers, and each function of pages.
const behind = modules
  .filter(({ path }) => /\/(jobs|pages)\.ts$/.test(path) && path.startsWith('src/modules/'))
  .flatMap((module) => [...module.declared].flatMap(([name, node]) => partsOf(node).map((part) => ({ module, name, part }))))

function partsOf(declared: ts.Node): ts.Node[] {
  return ts.isFunctionDeclaration(declared) && declared.name?.text === 'startJobs' ? [...(declared.body?.statements ?? [])] : [declared]
}

test('jobs, readers of the log and pages announce it as well', () => {
  const silent = behind.flatMap(({ module, name, part }) => {
    const write = findWay(module, part, isEnding)
    return write && !findWay(module, part, isAnnounced) ? [`${module.path}#${name}: ${write.join(' > ')}`] : []
  })
  expect(behind.length).toBeGreaterThan(60)
  expect(silent).toEqual([])
})

test('every mutation is followed', () => {
  expect(ways.filter(({ isWritten }) => !isWritten).map(({ name }) => name)).toEqual([])
  expect(ways.filter(({ isMarked, write, notice }) => isMarked && !write && !notice).map(({ name }) => name)).toEqual([])
  expect(Object.keys(exceptions).filter((name) => !ways.some((one) => one.name === name && (one.write ?? one.notice)))).toEqual([])
})

test('the statements are found that end sessions, memberships and keys, and those that are exceptions', () => {
  const names = [...ending].map((unit) => unit.split('#')[1])
  expect(names).toEqual(
    expect.arrayContaining([
      'deleteMember',
      'changeRole',
      'endAllSessions',
      'endOneSession',
      'replaceKeys',
      'replacePasswordHash',
      'removeUser',
    ]),
  )
  expect(Object.keys(harmless).filter((unit) => !writers.includes(unit))).toEqual([])
})
