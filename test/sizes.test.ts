import ts from 'typescript'
import { expect, test } from 'vitest'
import { type Source, sources } from './help/sources.ts'

const mostLines = 300
const mostFunctionLines = 40
const all = ['src', 'test', 'prisma']
  .flatMap((folder) => sources(folder, /\.(ts|js|mjs)$/))
  .filter(({ path }) => !path.startsWith('test/help/graphql/'))

test(`no file has more than ${mostLines} lines`, () => {
  const long = all.map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length })).filter(({ lines }) => lines > mostLines)
  expect(long).toEqual([])
})

test(`no function of the product has ${mostFunctionLines} lines or more`, () => {
  const long = all.filter(({ path }) => !path.startsWith('test/')).flatMap((source) => longFunctions(source))
  expect(long).toEqual([])
})

// Declarations and methods; an expression inside one counts with it.
function longFunctions({ path, text }: Source): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body && !isFactory(node)) {
      const from = file.getLineAndCharacterOfPosition(node.getStart()).line
      const lines = file.getLineAndCharacterOfPosition(node.end).line - from + 1
      if (lines >= mostFunctionLines) found.push(`${path}:${from + 1} has ${lines} lines`)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

// A function that only declares functions and returns them is a module of its own: its parts are measured instead.
function isFactory(node: ts.Node): boolean {
  const { body } = node as { body?: ts.Node }
  if (!body || !ts.isBlock(body)) return false
  const inner = body.statements.filter((statement) => ts.isFunctionDeclaration(statement))
  return inner.length >= 2 || body.statements.some((statement) => ts.isReturnStatement(statement) && returnsMethods(statement))
}

function returnsMethods({ expression }: ts.ReturnStatement): boolean {
  if (!expression || !ts.isObjectLiteralExpression(expression)) return false
  return expression.properties.filter((property) => ts.isMethodDeclaration(property)).length >= 2
}
