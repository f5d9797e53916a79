import { expect, test } from 'vitest'
import { schema } from '../src/server/graphql/schema.ts'
import { readCode } from './help/uses.ts'
import { writtenFields } from './help/written-fields.ts'

const { modules, findWay } = readCode('src/kit', 'src/modules')

/** What announces that sessions, memberships or keys have changed, or what they may do. */
const announced = ['src/modules/users/topics.ts#sessionsTopic', 'src/modules/projects/keys.ts#keysTopic']

/** Mutations that announce such a change, but never take a right from their caller, with the reason. */
const exceptions: Record<string, string> = {
  acceptInvitation: 'adds a membership',
  createProject: 'adds a membership',
  joinProject: 'adds a membership',
  logIn: 'opens a session for whoever has the password; at most the oldest of a hundred ends',
  signUp: 'opens the first session of an account',
}

const mutations = Object.values(schema.getMutationType()?.getFields() ?? {})
const written = new Map(writtenFields(modules).map((field) => [field.name, field]))
const ways = mutations.map(({ name, extensions }) => {
  const field = written.get(name)
  const way = field && findWay(field.module, field.resolve, { isWanted: (unit) => announced.includes(unit) })
  return { name, isMarked: extensions.endsRights === true, isWritten: field !== undefined, way }
})

test('a mutation that may end rights of its caller says so (`endsRights: true`), so that it stands alone in its operation', () => {
  const unmarked = ways.filter(({ name, isMarked, way }) => way && !isMarked && !(name in exceptions))
  expect(unmarked.map(({ name, way = [] }) => `${name}: ${way.join(' > ')}`)).toEqual([])
})

test('every mutation is followed', () => {
  expect(ways.filter(({ isWritten }) => !isWritten).map(({ name }) => name)).toEqual([])
  expect(ways.filter(({ isMarked, way }) => isMarked && !way).map(({ name }) => name)).toEqual([])
  expect(Object.keys(exceptions).filter((name) => !ways.some((one) => one.name === name && one.way))).toEqual([])
})
