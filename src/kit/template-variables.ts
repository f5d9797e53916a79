import { analyzeSync, Output, type Template, toValueSync } from 'liquidjs'
import { partsOfTemplate } from './liquid.ts'

/**
 * The variables that a template names and that have no value in a scope, by their whole paths. Those
 * that only stand in outputs with a default (`??` or the filter `default`) are left out, and so are the variables of its own loops and
 * assignments.
 */
export function missingVariables(source: string, scope: Record<string, unknown>): string[] {
  const parts = partsOfTemplate(source)
  const named = countsByName(parts)
  const defaulted = countsByName(parts.flatMap(outputsWithDefault))
  return [...named].flatMap(([name, { path, count }]) => (count > (defaulted.get(name)?.count ?? 0) && !hasValue(scope, path) ? name : []))
}

type Path = (string | number)[]

function countsByName(parts: Template[]): Map<string, { path: Path; count: number }> {
  const found = new Map<string, { path: Path; count: number }>()
  for (const variable of Object.values(analyzeSync(parts, { partials: false }).globals).flat()) {
    const segments = variable.toArray()
    // What is looked up by another variable is only known while it is rendered.
    const dynamic = segments.findIndex((segment) => Array.isArray(segment))
    const path = (dynamic === -1 ? segments : segments.slice(0, dynamic)) as Path
    const known = found.get(path.join('.'))
    found.set(path.join('.'), { path, count: (known?.count ?? 0) + 1 })
  }
  return found
}

function outputsWithDefault(part: Template): Template[] {
  if (part instanceof Output) return hasDefault(part) ? [part] : []
  const children = part.children ? (toValueSync(part.children(false, true)) as Template[]) : []
  return children.flatMap(outputsWithDefault)
}

function hasDefault({ value }: Output): boolean {
  return (
    value.filters.some(({ name }) => name === 'default') ||
    value.initial.postfix.some((token) => 'operator' in token && token.operator === '??')
  )
}

// What Liquid knows of lists and texts beside their entries.
const computed = new Set<string | number>(['size', 'first', 'last'])

function hasValue(scope: unknown, path: Path): boolean {
  let value: unknown = scope
  for (const segment of path) {
    if (value === null || value === undefined) return false
    if (computed.has(segment) && (typeof value === 'string' || Array.isArray(value))) return true
    value = typeof value === 'object' && Object.hasOwn(value, segment) ? (value as Record<string | number, unknown>)[segment] : undefined
  }
  return value !== null && value !== undefined
}
