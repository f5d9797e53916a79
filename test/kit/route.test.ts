import { describe, expect, test } from 'vitest'
import type { Access } from '../../src/kit/access.ts'
import { alsoWith, download, type RouteNotes, receiver, route } from '../../src/kit/route.ts'
import { ById, Empty, Nothing } from '../../src/kit/shapes.ts'

const answerNothing = async () => null
const sendNothing = async () => ({ filename: 'nothing.csv', pieces: (async function* () {})() })

const rowOf = (path: string, access: Access = 'secret', notes: Partial<RouteNotes<unknown>> = {}) =>
  route('GET', path, access, Nothing, Empty, answerNothing, { summary: 'Answers nothing', ...notes })

const fileOf = (path: string, access: Access = 'secret', notes: Partial<RouteNotes<never>> = {}) =>
  download(path, access, Nothing, Empty, sendNothing, { summary: 'Sends nothing', file: 'text/csv', ...notes })

describe('the project of a route', () => {
  test.each([
    ['/projects/:id/members', 'id'],
    ['/users/@me/projects/:id', 'id'],
    ['/domains/project/:projectId', 'projectId'],
    ['/teams/:id/projects/:project/notes', 'project'],
    ['/statistics/:projectId', 'projectId'],
    ['/contacts/:id', undefined],
    ['/users/@me/projects', undefined],
  ])('of %s is in the parameter %s, also where it answers with a file', (path, parameter) => {
    expect([rowOf(path).projectIn, fileOf(path).projectIn]).toEqual([parameter, parameter])
  })

  test.each(['none', 'user'] as const)('cannot be in the path with the access %s, which checks no membership', (access) => {
    for (const declare of [rowOf, fileOf])
      expect(() => declare('/projects/:id/colleagues', access)).toThrow('/projects/:id/colleagues names a project')
    expect(rowOf('/users/@me/projects', access).projectIn).toBeUndefined()
  })
})

test.each([
  ['user', undefined],
  ['none', undefined],
  ['user', 'other'],
] as const)('what a parameter names is checked by the operation with the access %s, and the note says so: not %s', (access, checks) => {
  const notes = checks === undefined ? {} : { checks }
  expect(() => rowOf('/teams/:id', 'secret', { checks: 'id' })).toThrow('it needs no `checks`')
  for (const declare of [rowOf, fileOf]) expect(() => declare('/teams/:id', access, notes)).toThrow('/teams/:id has the parameter :id')
  for (const allowed of ['user', 'none'] as const) expect(rowOf('/teams/:id', allowed, { checks: 'id' }).projectIn).toBeUndefined()
})

test.each([
  ['an idempotent GET', 'GET', { idempotent: true }],
  ['an idempotent DELETE without a body', 'DELETE', { idempotent: true }],
  ['an idempotent form', 'POST', { idempotent: true, maxFileBytes: 10 }],
  ['a GET with a form', 'GET', { maxFileBytes: 10 }],
  ['a form with another limit', 'POST', { maxFileBytes: 10, bodyLimit: 20 }],
] as const)('%s cannot be declared: one of its notes would be published and ignored', (_what, method, notes) => {
  expect(() => route(method, '/contacts', 'secret', Nothing, Empty, answerNothing, { summary: 'Answers nothing', ...notes })).toThrow(
    '/contacts',
  )
})

test('a receiver cannot have parameters in its path, which nobody has signed, nor be declared without what verifies its calls', () => {
  const signature = { signedIn: 'the body' as const, verify: answerNothing }
  const notes = { summary: 'Receives nothing' }
  expect(() => receiver('/webhooks/:name', signature, Empty, answerNothing, notes)).toThrow('/webhooks/:name has a parameter')
  expect(() => receiver('/projects/:id/webhooks', signature, Empty, answerNothing, notes)).toThrow('/projects/:id')
  expect(receiver('/webhooks/one', signature, Empty, answerNothing, notes)).toMatchObject({ method: 'POST', access: 'none', signature })
  // @ts-expect-error Without it everybody could call.
  receiver('/webhooks/one', { signedIn: 'the body' }, Empty, answerNothing, notes)
})

test('a DELETE with a JSON body can be idempotent', () => {
  const notes = { summary: 'Answers nothing', idempotent: true, readsBody: true }
  expect(route('DELETE', '/contacts', 'secret', Nothing, Empty, answerNothing, notes).notes).toBe(notes)
})

describe('the variant of a route', () => {
  test('is for the same callers, with the same parameters', () => {
    const main = rowOf('/contacts', 'admin', { whileSuspended: true })
    const same = fileOf('/contacts', 'admin', { whileSuspended: true })
    expect(alsoWith(main, same).variant).toBe(same)
  })

  test.each([
    ['of another path', fileOf('/contact', 'admin')],
    ['with another access', fileOf('/contacts')],
    ['that works in a suspended project', fileOf('/contacts', 'admin', { whileSuspended: true })],
    ['that works with an unverified address', fileOf('/contacts', 'admin', { whileUnverified: true })],
    ['that needs no role', fileOf('/contacts', 'admin', { oneself: 'userId' })],
    ['with parameters of its own', { ...fileOf('/contacts', 'admin'), input: ById }],
    ['that takes an Idempotency-Key', fileOf('/contacts', 'admin', { idempotent: true })],
    ['that changes something', fileOf('/contacts', 'admin', { changes: true })],
  ])('is not one %s', (_what, variant) => {
    expect(() => alsoWith(rowOf('/contacts', 'admin'), variant)).toThrow('/contacts')
  })
})
