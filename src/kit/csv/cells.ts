import type { Json } from '../shapes.ts'
import { whyUnstorable } from '../unstorable.ts'

// Spreadsheets run a cell that begins like this as a formula (OWASP, "CSV Injection"), unless an apostrophe is before it, which
// they do not show.
const formula = /^[=+\-@\t\r]/
const decimal = /^-?(0|[1-9]\d*)\.\d{1,14}$/
const maxSignificantDigits = 15

/** The value that a cell stands for: a number, a boolean, an object or list as JSON, or text; dates stay text. */
export function valueOfCell(cell: string): Json {
  if (cell.startsWith("'") && isAmbiguous(cell.slice(1))) return cell.slice(1)
  const trimmed = cell.trim()
  return typedValue(trimmed) ?? trimmed
}

/** The text that a cell stands for, where only text is meant, such as a name of a column. */
export function textOfCell(cell: string): string {
  return cell.startsWith("'") && isAmbiguous(cell.slice(1)) ? cell.slice(1) : cell.trim()
}

/**
 * The cell of a value, quoted where necessary (RFC 4180). Text that a spreadsheet would run as a formula, or that `valueOfCell`
 * would read as something else, gets an apostrophe, so that `valueOfCell` returns the same value again.
 */
export function cellOfValue(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return quoted(isAmbiguous(value) ? `'${value}` : value)
  return quoted(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

const maxShown = 254

/** A cell as an error shows it: cut, and without what Postgres cannot store. */
export function shownCell(text: string): string {
  return text.slice(0, maxShown).toWellFormed().replaceAll('\0', '␀')
}

/** A row of a file (RFC 4180). */
export function lineOf(cells: string[]): string {
  return `${cells.join(',')}\r\n`
}

function quoted(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function isAmbiguous(text: string): boolean {
  return isRead(text) || (text.startsWith("'") && isRead(text.replace(/^'+/, '')))
}

function isRead(text: string): boolean {
  return formula.test(text) || text !== text.trim() || typedValue(text) !== undefined
}

function typedValue(text: string): Json | undefined {
  const first = text[0] ?? ''
  if (first === '-' || (first >= '0' && first <= '9')) return numberOf(text)
  if (first === '{' || first === '[') return jsonOf(text)
  if (text.length > 5) return undefined
  const word = text.toLowerCase()
  return word === 'true' ? true : word === 'false' ? false : undefined
}

// Only where nothing is lost: 007 and an id of 20 digits are text.
function numberOf(text: string): number | undefined {
  const value = Number(text)
  if (String(value) === text && Number.isFinite(value)) return value
  return decimal.test(text) && text.replace(/\D/g, '').length <= maxSignificantDigits ? value : undefined
}

const maxDepth = 32

function jsonOf(text: string): Json | undefined {
  if (!/[\]}]$/.test(text)) return undefined
  try {
    const value = JSON.parse(text) as Json
    return isStorable(value, 0) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isStorable(value: Json, depth: number): boolean {
  if (typeof value === 'string') return whyUnstorable(value) === undefined
  if (typeof value !== 'object' || value === null) return true
  if (depth > maxDepth) return false
  return Object.entries(value).every(([key, each]) => whyUnstorable(key) === undefined && isStorable(each, depth + 1))
}
