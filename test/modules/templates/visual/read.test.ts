import { describe, expect, test } from 'vitest'
import { documentLimits, readDocument } from '../../../../src/modules/templates/visual/read.ts'
import { VisualDocumentInput } from '../../../../src/modules/templates/visual/shapes.ts'

const doc = (...content: unknown[]) => ({ type: 'doc', content })
const line = (...content: unknown[]) => doc({ type: 'paragraph', content })
const link = (href: unknown) => ({ type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href } }] })
const nested = (levels: number): unknown => (levels === 1 ? { type: 'paragraph' } : { type: 'blockquote', content: [nested(levels - 1)] })

/** So many nodes of a type that tell how often one was looked at. */
function watched(count: number, type: string) {
  let reads = 0
  const node = {
    get type() {
      reads++
      return type
    },
  }
  return { nodes: Array<object>(count).fill(node), reads: () => reads }
}

function problemsOf(given: unknown): [string, string][] {
  const issues = VisualDocumentInput.safeParse(given).error?.issues ?? []
  return issues.map(({ path, message }) => [path.map(String).join('.'), message])
}

const tooMuch = [['', 'must have at most 5,000 nodes and marks, and 100,000 characters']]

describe('what a hostile document costs', () => {
  test('reading ends at the twentieth problem', () => {
    const { nodes, reads } = watched(4_000, 'script')
    expect(problemsOf(line(...nodes))).toHaveLength(20)
    expect(reads()).toBeLessThan(100)
  })

  test('of a list with too many nodes none is looked at', () => {
    const { nodes, reads } = watched(30_000, 'hardBreak')
    expect(problemsOf(line(...nodes))).toEqual(tooMuch)
    expect(reads()).toBe(0)
  })

  test('reading ends with the characters that it may have', () => {
    const { nodes, reads } = watched(1_000, 'hardBreak')
    const text = { type: 'text', text: 'x'.repeat(documentLimits.characters + 1) }
    expect(problemsOf(line(text, ...nodes))).toEqual(tooMuch)
    expect(reads()).toBe(0)
  })

  test('marks count as nodes do, and what it has besides is not read', () => {
    const marks = Array.from({ length: 10 }, () => ({ type: 'bold' }))
    const texts = (count: number) => Array.from({ length: count }, () => ({ type: 'text', text: 'x', marks }))
    expect(problemsOf(line(...texts(454)))).toEqual([])
    expect(problemsOf(line(...texts(455)))).toEqual(tooMuch)
    const other = { ...line(), other: 'x'.repeat(2 * documentLimits.characters), more: Array(10_000).fill({ type: 'x' }) }
    expect(readDocument(other)).toEqual({ document: line() })
  })

  test('has 20 levels of blocks at most', () => {
    expect(problemsOf(doc(nested(20)))).toEqual([])
    expect(problemsOf(doc(nested(21)))).toEqual([['', 'must not be nested deeper than 20 levels']])
    expect(problemsOf(doc(nested(5_000)))).toEqual([['', 'must not be nested deeper than 20 levels']])
  })
})

describe('the problems of a document', () => {
  const inline = 'must be a node of one of the types text, hardBreak and variable'
  const block =
    'must be a node of one of the types paragraph, heading, bulletList, orderedList, blockquote, horizontalRule, image and button'
  const address = 'must be an address that begins with https://, http:// or mailto:'

  test.each<[string, unknown, [string, string][]]>([
    ['no object', [], [['', 'must be an object']]],
    [
      'another type, and nothing in it',
      { type: 'x' },
      [
        ['type', 'must be doc'],
        ['content', 'is required'],
      ],
    ],
    ['no list', { type: 'doc', content: {} }, [['content', 'must be a list']]],
    ['an empty list', doc(), [['content', 'must not be empty']]],
    [
      'nodes that are none',
      doc(1, { type: 'text' }),
      [
        ['content.0', block],
        ['content.1.type', block],
      ],
    ],
    [
      'lines with others than inlines',
      line(1, { type: 'button' }),
      [
        ['content.0.content.0', inline],
        ['content.0.content.1.type', inline],
      ],
    ],
    ['an empty text', line({ type: 'text', text: '' }), [['content.0.content.0.text', 'must not be empty']]],
    ['text with NUL', line({ type: 'text', text: '\0' }), [['content.0.content.0.text', 'must not contain NUL characters']]],
    ['a link to a script', line(link('javascript:1')), [['content.0.content.0.marks.0.attrs.href', address]]],
    [
      'two of them, each at its place',
      line(link('x:'), link('x:')),
      [0, 1].map((at) => [`content.0.content.${at}.marks.0.attrs.href`, address]),
    ],
    [
      'an item of another type',
      doc({ type: 'bulletList', content: [{ type: 'paragraph' }] }),
      [
        ['content.0.content.0.type', 'must be listItem'],
        ['content.0.content.0.content', 'is required'],
      ],
    ],
    [
      'a start that is no whole number',
      doc({ type: 'orderedList', attrs: { start: 1.5 }, content: [] }),
      [
        ['content.0.attrs.start', 'must be a whole number'],
        ['content.0.content', 'must not be empty'],
      ],
    ],
    [
      'eleven marks',
      line({ type: 'hardBreak', marks: Array(11).fill({ type: 'bold' }) }),
      [['content.0.content.0.marks', 'must be at most 10 entries long']],
    ],
    ['a picture without an address', doc({ type: 'image', attrs: {} }), [['content.0.attrs.src', 'is required']]],
    [
      'a name of no variable',
      line({ type: 'variable', attrs: { path: 'a b' } }),
      [['content.0.content.0.attrs.path', 'must be the name of a variable, such as name or profile.tier']],
    ],
    ['a type that every object has', line({ type: 'constructor' }), [['content.0.content.0.type', inline]]],
  ])('name the place and what to change: %s', (_what, given, expected) => {
    expect(problemsOf(given)).toEqual(expected)
  })
})
