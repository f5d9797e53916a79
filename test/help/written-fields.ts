import ts from 'typescript'
import type { Module } from './uses.ts'

/** A resolver of a field of GraphQL as it is written: of a query, a mutation, or an object they lead to. */
export interface WrittenField {
  name: string
  module: Module
  resolve: ts.Node
  /** The text of its `extensions`. */
  extensions: string
}

/** Every object with a resolver in the modules that add to the GraphQL schema. */
export function writtenFields(modules: readonly Module[]): WrittenField[] {
  return modules.filter(({ imports }) => imports.get('builder') === 'src/kit/builder.ts#builder').flatMap(fieldsOf)
}

function fieldsOf(module: Module): WrittenField[] {
  const fields: WrittenField[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const option = (name: string) => node.properties.find((property) => property.name?.getText() === name)
      const resolve = option('resolve')
      if (resolve) fields.push({ name: nameOf(node), module, resolve, extensions: option('extensions')?.getText() ?? '' })
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
