import { expect, test } from 'vitest'
import { routes } from '../src/server/routes.ts'
import { document } from './help/contract.ts'
import { readCode } from './help/uses.ts'

const { modules, findWay } = readCode('src/kit', 'src/modules', 'src/server')
const refuses = { isWanted: (unit: string) => unit === 'src/kit/errors.ts#tooManyRequests' }

// Also of the form of an endpoint for another kind of content.
const rows = routes.flatMap((route) => [
  { name: route.name, method: route.method, path: route.path },
  ...(route.variant ? [{ ...route, name: route.variant.name }] : []),
])
const found = rows.map(({ name, method, path }) => {
  const module = modules.find(({ declared, path: file }) => !file.startsWith('src/kit/') && declared.has(name))
  const declared = module?.declared.get(name)
  const responses = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()].responses
  return {
    row: `${method} ${path}`,
    isFound: declared !== undefined,
    isDeclared: responses[429] !== undefined,
    way: module && declared && findWay(module, declared, refuses),
  }
})

test('a row whose operation has a limit of its own says in the OpenAPI document that it may answer 429', () => {
  const undeclared = found.filter(({ isDeclared, way }) => way && !isDeclared)
  expect(undeclared.map(({ row, way = [] }) => `${row}: ${way.join(' > ')}`)).toEqual([])
})

test('the operation of every row is found, and the limits of those that have one', () => {
  expect(found.filter(({ isFound }) => !isFound).map(({ row }) => row)).toEqual([])
  const limited = ['POST /auth/login', 'POST /auth/signup', 'POST /projects/:id/members', 'POST /campaigns/:id/test']
  expect(limited.filter((row) => !found.some((one) => one.row === row && one.way))).toEqual([])
})
