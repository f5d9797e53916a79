import { standardFields } from './columns.ts'

/** Before the key of custom data in the name of its field. */
export const customPrefix = 'data.'

/** Whether a name, written without `data.`, is that of a standard field. */
export function isStandard(field: string): boolean {
  return Object.hasOwn(standardFields, field)
}

/** The key of a custom field, whose name may be written with or without `data.`. */
export function keyOfField(field: string): string {
  return field.startsWith(customPrefix) ? field.slice(customPrefix.length) : field
}
