const fieldsOf = new Map<string, Record<string, string>>()
const values = new Set<string>()

/** Remembers the fields of an input that have another name in GraphQL than in operations: from the name there to that in GraphQL. */
export function rememberFields(input: string, names: Record<string, string>): void {
  fieldsOf.set(input, { ...fieldsOf.get(input), ...names })
}

/** A value of an enum as GraphQL spells it. */
export const screaming = (value: string): string =>
  value
    .replace(/([a-z])(?=[A-Z])/g, '$1_')
    .replace(/\W+/g, '_')
    .toUpperCase()

/** Remembers that a word is a value of an enum. */
export function rememberValue(value: string): void {
  values.add(value)
}

/** What a mutation, or a query with an `input`, calls the fields that operations call otherwise. */
export function fieldNamesOf(field: string): Record<string, string> {
  return fieldsOf.get(`${field[0]?.toUpperCase()}${field.slice(1)}Input`) ?? {}
}

/** The name of a value of an enum in GraphQL; of any other word that word. */
export function valueNameOf(value: string): string {
  return values.has(value) ? screaming(value) : value
}
