import { whyUnstorable } from '../../../kit/unstorable.ts'
import { parseUrl } from '../../../kit/urls.ts'
import { isVariablePath, plainAddress } from './address.ts'

/**
 * What a document may have: nodes and marks, characters of text and attributes, and levels of blocks in each other. Mail programs show
 * about 100 KB of HTML; reading and rendering as much keeps the thread busy for some milliseconds.
 */
export const documentLimits = { nodes: 5_000, characters: 100_000, levels: 20 }

/** What is wrong in a document, and where. */
export interface DocumentProblem {
  path: PropertyKey[]
  message: string
  code: 'too_big' | 'invalid_document'
}

/**
 * Reads a document of allowed nodes only: attributes that are not known are dropped. Written by hand, node by node, because it ends at
 * the twentieth problem and at the first node or character too many: a hostile document may have a problem in each of its values.
 */
export function readDocument(value: unknown): { document: object } | { problems: DocumentProblem[] } {
  const walk: Walk = { path: [], level: 0, nodes: 0, characters: 0, links: new Map(), problems: [], isTooLarge: false }
  const document = readFields(walk, value, documentFields)
  if (document && walk.problems.length === 0) return { document }
  return { problems: walk.isTooLarge ? walk.problems.slice(-1) : walk.problems.slice(0, maxProblems) }
}

const maxProblems = 20
const maxMarks = 10
const maxUrl = 2_000
const maxLevel = 3
const maxStart = 1_000_000

interface Walk {
  /** Where it is. */
  path: PropertyKey[]
  level: number
  nodes: number
  characters: number
  /** Whether an address is one of a link, of those that were looked at. */
  links: Map<string, boolean>
  problems: DocumentProblem[]
  isTooLarge: boolean
}

/** Reads a value at the path; undefined for one that is refused, which is then among the problems. */
type Read = (walk: Walk, value: unknown) => unknown
/** The parts of an object that are read, in the order of the problems; one that is optional may be left out. */
type Fields = readonly { key: string; read: Read; optional?: true }[]

function refuse(walk: Walk, message: string): undefined {
  walk.problems.push({ path: [...walk.path], message, code: 'invalid_document' })
}

function refuseSize(walk: Walk, message: string): undefined {
  // What is read after it is not looked at.
  if (!walk.isTooLarge) walk.problems.push({ path: [], message, code: 'too_big' })
  walk.isTooLarge = true
}

const tooMuch = `must have at most ${documentLimits.nodes.toLocaleString('en')} nodes and marks, and ${documentLimits.characters.toLocaleString('en')} characters`
const tooDeep = `must not be nested deeper than ${documentLimits.levels} levels`

function hasEnded({ problems, isTooLarge }: Walk): boolean {
  return isTooLarge || problems.length >= maxProblems
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readFields(walk: Walk, value: unknown, fields: Fields): Record<string, unknown> | undefined {
  if (!isObject(value)) return refuse(walk, value === undefined ? 'is required' : 'must be an object')
  const found: Record<string, unknown> = {}
  for (const { key, read, optional } of fields) {
    const given = value[key]
    if (given === undefined && optional) continue
    walk.path.push(key)
    found[key] = read(walk, given)
    walk.path.pop()
  }
  return found
}

function listOf(read: Read, { min = 0, max = Number.POSITIVE_INFINITY }: { min?: number; max?: number }): Read {
  return (walk, value) => {
    if (!Array.isArray(value)) return refuse(walk, value === undefined ? 'is required' : 'must be a list')
    if (value.length < min) return refuse(walk, min === 1 ? 'must not be empty' : `must be at least ${min} entries long`)
    if (value.length > max) return refuse(walk, `must be at most ${max} entries long`)
    walk.nodes += value.length
    if (walk.nodes > documentLimits.nodes) return refuseSize(walk, tooMuch)
    const found: unknown[] = []
    for (const [at, item] of value.entries()) {
      if (hasEnded(walk)) break
      walk.path.push(at)
      found.push(read(walk, item))
      walk.path.pop()
    }
    return found
  }
}

/** A block is a level of its own. */
function onLevel(read: Read): Read {
  return (walk, value) => {
    if (walk.level === documentLimits.levels) return refuseSize(walk, tooDeep)
    walk.level++
    const found = read(walk, value)
    walk.level--
    return found
  }
}

function oneOf(what: string, fieldsOf: Record<string, Fields>): Read {
  const kinds = new Map(Object.entries(fieldsOf).map(([type, fields]) => [type, [{ key: 'type', read: asIs }, ...fields] as Fields]))
  const names = [...kinds.keys()]
  const message = `must be a ${what} of one of the types ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
  return (walk, value) => {
    if (!isObject(value)) return refuse(walk, message)
    const fields = typeof value.type === 'string' ? kinds.get(value.type) : undefined
    if (fields) return readFields(walk, value, fields)
    walk.path.push('type')
    refuse(walk, message)
    walk.path.pop()
  }
}

const asIs: Read = (_walk, value) => value

function exactly(type: string): Read {
  return (walk, value) => (value === type ? type : refuse(walk, `must be ${type}`))
}

function attrs(...fields: Fields): { key: string; read: Read } {
  return { key: 'attrs', read: (walk, value) => readFields(walk, value, fields) }
}

type Rule = (walk: Walk, text: string) => string | undefined

function textOf({ min = 0, max = Number.POSITIVE_INFINITY, rule }: { min?: number; max?: number; rule?: Rule }): Read {
  return (walk, value) => {
    if (typeof value !== 'string') return refuse(walk, value === undefined ? 'is required' : 'must be a string')
    walk.characters += value.length
    if (walk.characters > documentLimits.characters) return refuseSize(walk, tooMuch)
    const unstorable = whyUnstorable(value)
    if (unstorable) refuse(walk, unstorable)
    if (value.length < min) refuse(walk, 'must not be empty')
    if (value.length > max) refuse(walk, `must be at most ${max} characters long`)
    const refusal = rule?.(walk, value)
    return refusal ? refuse(walk, refusal) : value
  }
}

function orNull(key: string, read: Read): Fields[number] {
  return { key, read: (walk, value) => (value === null ? null : read(walk, value)), optional: true }
}

function isLink({ links }: Walk, text: string): boolean {
  const known = links.get(text)
  if (known !== undefined) return known
  // Browsers drop what stands around an address and control characters in it.
  const url = text.length > maxUrl || /[\s\p{Cc}]/u.test(text) ? null : parseUrl(text)
  const isOne = url !== null && (url.protocol === 'mailto:' || ((url.protocol === 'http:' || url.protocol === 'https:') && url.host !== ''))
  links.set(text, isOne)
  return isOne
}

const href = textOf({
  max: maxUrl,
  rule(walk, text) {
    if (isLink(walk, plainAddress(text))) return undefined
    return text.includes('{{') ? wrongVariable : 'must be an address that begins with https://, http:// or mailto:'
  },
})
const wrongVariable =
  'must print variables as whole segments of the path or whole values of the query, such as https://example.com/orders/{{ id }}'
const source = textOf({
  max: maxUrl,
  rule: (walk, text) =>
    isLink(walk, text) && /^https?:/i.test(text) ? undefined : 'must be the https address of a picture, or that of an uploaded one',
})
const path = textOf({
  max: 255,
  rule: (_walk, text) => (isVariablePath(text) ? undefined : 'must be the name of a variable, such as name or profile.tier'),
})

const level: Read = (walk, value) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maxLevel ? value : refuse(walk, 'must be 1, 2 or 3')

const start: Read = (walk, value) => {
  if (typeof value !== 'number') return refuse(walk, 'must be a number')
  if (!Number.isSafeInteger(value)) return refuse(walk, 'must be a whole number')
  if (value < 0) return refuse(walk, 'must be at least 0')
  return value > maxStart ? refuse(walk, `must be at most ${maxStart}`) : value
}

const aligns = ['left', 'center', 'right']
const align = orNull('align', (walk, value) =>
  typeof value === 'string' && aligns.includes(value) ? value : refuse(walk, 'must be left, center or right'),
)

const mark = oneOf('mark', {
  bold: [],
  italic: [],
  underline: [],
  strike: [],
  code: [],
  link: [attrs({ key: 'href', read: href })],
})
const marks: Fields[number] = { key: 'marks', read: listOf(mark, { max: maxMarks }), optional: true }

const inline = oneOf('node', {
  text: [{ key: 'text', read: textOf({ min: 1 }) }, marks],
  hardBreak: [marks],
  variable: [attrs({ key: 'path', read: path }, orNull('fallback', textOf({ max: 500 }))), marks],
})
const inlines: Fields[number] = { key: 'content', read: listOf(inline, {}), optional: true }

// Blocks have blocks in them.
const blocks: Fields[number] = { key: 'content', read: (walk, value) => readBlocks(walk, value) }
const itemFields: Fields = [{ key: 'type', read: exactly('listItem') }, blocks]
const items: Fields[number] = {
  key: 'content',
  read: listOf(
    onLevel((walk, value) => readFields(walk, value, itemFields)),
    { min: 1 },
  ),
}

const block = oneOf('node', {
  paragraph: [{ ...attrs(align), optional: true }, inlines],
  heading: [attrs({ key: 'level', read: level }, align), inlines],
  bulletList: [items],
  orderedList: [{ ...attrs(orNull('start', start)), optional: true }, items],
  blockquote: [blocks],
  horizontalRule: [],
  image: [attrs({ key: 'src', read: source }, orNull('alt', textOf({ max: 500 })), align)],
  button: [attrs({ key: 'href', read: href }, { key: 'label', read: textOf({ min: 1, max: 200 }) }, align)],
})
const readBlocks = listOf(onLevel(block), { min: 1 })

const documentFields: Fields = [{ key: 'type', read: exactly('doc') }, blocks]
