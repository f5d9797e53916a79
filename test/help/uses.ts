import { dirname, join, normalize } from 'node:path'
import ts from 'typescript'
import { sources } from './sources.ts'

/** A declaration at the top of a file, `path#name`, what a package exports, `package#name`, or any property of a name, `.name`. */
type Unit = string

/** A file, and what the names in it stand for. */
export interface Module {
  path: string
  node: ts.SourceFile
  /** What its imports are, by their names in the file. */
  imports: Map<string, Unit>
  /** Its declarations by name. */
  declared: Map<string, ts.Node>
}

/** A part of a file. */
export interface Part {
  module: Module
  part: ts.Node
}

/** Which units are looked for, and which are passed over together with what they use. */
export interface Search {
  isWanted(unit: Unit): boolean
  isPassedOver?(unit: Unit): boolean
}

/** The code of some folders, and what its parts use as far as names tell: a name is taken for the declaration wherever it stands. */
export interface Code {
  modules: readonly Module[]
  /** The names by which a part of a module leads to a unit that is looked for; undefined when it leads to none. */
  findWay(module: Module, part: ts.Node, search: Search): string[] | undefined
  /** The operation that the rows of the REST interface know by a name; undefined where no file with rows names one. */
  findOperation(name: string): Part | undefined
}

/** Reads the code of some folders. */
export function readCode(...folders: string[]): Code {
  const modules = folders.flatMap((folder) => sources(folder, /(?<!\.d)\.ts$/)).map(({ path, text }) => parse(path, text))
  const byPath = new Map(modules.map((module) => [module.path, module]))
  // What a part names is asked once for every way that leads through it.
  const named = new WeakMap<ts.Node, Unit[]>()
  const namedIn = (module: Module, part: ts.Node): Unit[] => {
    const units = named.get(part) ?? unitsIn(module, part)
    named.set(part, units)
    return units
  }

  function findWay(module: Module, part: ts.Node, { isWanted, isPassedOver }: Search): string[] | undefined {
    const seen = new Set<Unit>()
    const walk = (inside: Module, at: ts.Node): string[] | undefined => {
      for (const unit of namedIn(inside, at)) {
        if (seen.has(unit) || isPassedOver?.(unit)) continue
        seen.add(unit)
        const [path = '', name = ''] = unit.split('#')
        if (isWanted(unit)) return [name || unit]
        const declaring = byPath.get(path)
        const declared = declaring?.declared.get(name)
        const rest = declaring && declared && walk(declaring, declared)
        if (rest) return [name, ...rest]
      }
      return undefined
    }
    return walk(module, part)
  }

  // Two files may declare the same name: the one is meant that the file with the row imports.
  function findOperation(name: string): Part | undefined {
    for (const { imports, declared, path } of modules) {
      if (![...imports.values()].some((unit) => unit.startsWith('src/kit/route.ts#'))) continue
      const [from = ''] = (imports.get(name) ?? (declared.has(name) ? path : '')).split('#')
      const module = byPath.get(from)
      const part = module?.declared.get(name)
      if (module && part) return { module, part }
    }
    return undefined
  }

  return { modules, findWay, findOperation }
}

function parse(path: string, text: string): Module {
  const node = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const module: Module = { path, node, imports: new Map(), declared: new Map() }
  for (const statement of node.statements) {
    if (ts.isImportDeclaration(statement)) addImports(module, statement)
    else if (ts.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations)
        for (const name of namesIn(declaration.name)) module.declared.set(name, declaration)
    } else if ((ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name)
      module.declared.set(statement.name.text, statement)
  }
  return module
}

function namesIn(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text]
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesIn(element.name) : []))
}

function addImports({ path, imports }: Module, { importClause, moduleSpecifier }: ts.ImportDeclaration): void {
  if (!importClause || !ts.isStringLiteral(moduleSpecifier)) return
  const { text } = moduleSpecifier
  const from = text.startsWith('.') ? normalize(join(dirname(path), text)) : text
  if (importClause.name) imports.set(importClause.name.text, `${from}#default`)
  const bindings = importClause.namedBindings
  if (bindings && ts.isNamedImports(bindings))
    for (const { name, propertyName } of bindings.elements) imports.set(name.text, `${from}#${(propertyName ?? name).text}`)
}

function unitsIn({ path, imports }: Module, part: ts.Node): Unit[] {
  const found: Unit[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return
    if (ts.isIdentifier(node)) found.push(isProperty(node) ? `.${node.text}` : (imports.get(node.text) ?? `${path}#${node.text}`))
    else ts.forEachChild(node, visit)
  }
  visit(part)
  return [...new Set(found)]
}

function isProperty(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent))
    return parent.name === node
  return ts.isBindingElement(parent)
}
