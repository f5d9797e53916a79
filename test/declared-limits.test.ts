import ts from 'typescript'
import { expect, test } from 'vitest'
import { routes } from '../src/server/routes.ts'
import { document } from './help/contract.ts'
import { readCode } from './help/uses.ts'

const { modules, findWay } = readCode('src/kit', 'src/modules', 'src/server')
const refuses = { isWanted: (unit: string) => unit === 'src/kit/errors.ts#tooManyRequests' }

// Also of the form of an endpoint for another kind of content, and of what verifies the calls of a receiver.
const rows = routes.flatMap((route) => [
  { name: route.name, method: route.method, path: route.path },
  ...(route.variant ? [{ ...route, name: route.variant.name }] : []),
  ...(route.signature ? [{ ...route, name: route.signature.verify.name }] : []),
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

// A Failure with that code, whichever code it has otherwise.
function madeOtherwise(node: ts.Node): boolean {
  const isFailure = ts.isNewExpression(node) && node.expression.getText() === 'Failure'
  const code = isFailure ? node.arguments?.[0]?.getText() : undefined
  return code?.includes('RATE_LIMIT_EXCEEDED') || (ts.forEachChild(node, (child) => madeOtherwise(child) || undefined) ?? false)
}

test('429 is made by `tooManyRequests` only, which says when to try again, so that it is found', () => {
  const declarations = modules.flatMap(({ path, declared }) => [...declared].map(([name, node]) => ({ unit: `${path}#${name}`, node })))
  expect(declarations.filter(({ node }) => madeOtherwise(node)).map(({ unit }) => unit)).toEqual(['src/kit/errors.ts#tooManyRequests'])
})
