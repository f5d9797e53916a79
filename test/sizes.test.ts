import ts from 'typescript'
import { expect, test } from 'vitest'
import { type Source, sources } from './help/sources.ts'

const maxLines = 300
const maxFunctionLines = 40
// A component is mostly markup, one element per line.
const maxComponentLines = 80
const all = ['src', 'test', 'prisma']
  .flatMap((folder) => sources(folder, /\.(ts|tsx|js|mjs|css)$/))
  .filter(({ path }) => !/^(test\/help|src\/dashboard)\/graphql\//.test(path))

test(`no file has more than ${maxLines} lines`, () => {
  const long = all.map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length })).filter(({ lines }) => lines > maxLines)
  expect(long).toEqual([])
})

test(`no function of the product has ${maxFunctionLines} lines or more, and no component ${maxComponentLines}`, () => {
  const product = all.filter(({ path }) => !path.startsWith('test/') && !path.endsWith('.css'))
  expect(product.flatMap((source) => longFunctions(source))).toEqual([])
})

// Declarations, methods and function expressions, except factories.
function longFunctions({ path, text }: Source): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS)
  const max = path.endsWith('.tsx') ? maxComponentLines : maxFunctionLines
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body && !isFactory(node)) {
      const from = file.getLineAndCharacterOfPosition(node.getStart()).line
      const lines = file.getLineAndCharacterOfPosition(node.end).line - from + 1
      if (lines >= max) found.push(`${path}:${from + 1} has ${lines} lines`)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

// A function that mainly declares and returns functions is like a module: its inner functions are measured instead.
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
