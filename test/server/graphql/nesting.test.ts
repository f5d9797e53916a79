import fc from 'fast-check'
import { Lexer, Source, TokenKind } from 'graphql'
import { describe, expect, test } from 'vitest'
import { checkNesting, maxOpenBrackets } from '../../../src/server/graphql/nesting.ts'
import { asker } from '../../help/ask.ts'
import { bearer, connect } from '../../help/live.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { url, world } = await testServer()
const { secret } = await freshProject(world)
const ask = asker(url, secret)

const many = 1_300
const lists = (count: number) => `${'['.repeat(count)}${']'.repeat(count)}`
const documents: [string, string][] = [
  ['lists that do not end', `{ a(b: ${'['.repeat(3_990)}`],
  ['lists', `{ a(b: ${lists(many)}) }`],
  ['objects', `{ a(b: ${'{c:'.repeat(many)}`],
  ['selections', `${'{ a'.repeat(many)}${'}'.repeat(many)}`],
  ['inline fragments', `{ ${'...{'.repeat(many)}__typename${'}'.repeat(many)} }`],
  ['types', `query ($a: ${'['.repeat(many)}Int${']'.repeat(many)}) { __typename }`],
  ['defaults', `query ($a: JSON = ${lists(many)}) { __typename }`],
]
const sentence = 'The operation has brackets nested too deeply; at most 100 levels are allowed.'

describe('a document with thousands of nested brackets is refused with 400', () => {
  test.each(documents)('by POST: %s', async (_what, document) => {
    for (const by of [ask, asker(url)]) {
      const { status, errors } = await by(document)
      expect([status, errors]).toMatchObject([400, [{ message: sentence, extensions: { code: 'BAD_REQUEST' } }]])
    }
  })

  test.each(documents)('by GET: %s', async (_what, document) => {
    const response = await fetch(`${url}/graphql?query=${encodeURIComponent(document)}`, { headers: bearer(secret) })
    expect([response.status, await response.json()]).toMatchObject([400, { errors: [{ message: sentence }] }])
  })

  test.each(documents)('over a socket: %s', async (_what, query) => {
    const { client } = connect(url, bearer(secret))
    const refused = await client
      .iterate({ query })
      .next()
      .catch((errors: unknown) => errors)
    await client.dispose()
    expect(refused).toMatchObject([{ message: sentence, extensions: { code: 'BAD_REQUEST' } }])
  })
})

test('fragments that continue each other as deeply as is allowed are never an error of the server', async () => {
  const deep = (inside: string) => `${'...{'.repeat(24)}${inside}${'}'.repeat(24)}`
  const fragments = Array.from({ length: 49 }, (_, at) => `fragment F${at} on Query { ${deep(`...F${at + 1}`)} }`)
  const { errors } = await ask(`{ ...F0 } ${fragments.join(' ')} fragment F49 on Query { __typename }`)
  expect(errors.map(({ extensions }) => extensions.code).filter((code) => code !== 'BAD_REQUEST')).toEqual([])
})

const isRefused = (document: string): boolean => {
  try {
    checkNesting(document)
    return false
  } catch {
    return true
  }
}

test.each([
  ['100 levels', lists(maxOpenBrackets), false],
  ['101 levels', lists(maxOpenBrackets + 1), true],
  ['101 levels of different kinds', '{[('.repeat(34), true],
  ['many, one after the other', '[]{}()'.repeat(200), false],
  ['many in a string', `"${'['.repeat(200)}"`, false],
  ['many after an escaped quote', `"\\"${'['.repeat(200)}"`, false],
  ['many after a string that ends with a backslash', `"\\\\"${'['.repeat(200)}`, true],
  ['many in a block string', `"""\n"" \\"""\n${'['.repeat(200)}"""`, false],
  ['many after an empty block string', `""""""${'['.repeat(200)}`, true],
  ['many in a comment', `# "${'['.repeat(200)}\n{}`, false],
  ['many after a comment', `# "\r${'['.repeat(200)}`, true],
])('of brackets are counted those that the parser reads: %s', (_what, document, refused) => {
  expect(isRefused(document)).toBe(refused)
})

/** The most brackets that are open at once, by the library's own lexer, and whether it reads the whole text. */
function byLexer(document: string): { most: number; whole: boolean } {
  const lexer = new Lexer(new Source(document))
  let [open, most] = [0, 0]
  try {
    for (let { kind } = lexer.advance(); kind !== TokenKind.EOF; { kind } = lexer.advance()) {
      if (kind === TokenKind.BRACE_L || kind === TokenKind.BRACKET_L || kind === TokenKind.PAREN_L) most = Math.max(most, ++open)
      if (kind === TokenKind.BRACE_R || kind === TokenKind.BRACKET_R || kind === TokenKind.PAREN_R) open--
    }
    return { most, whole: true }
  } catch {
    return { most, whole: false }
  }
}

test('whatever a document has, it is refused if, up to where it can be read, more brackets are open than are allowed', () => {
  const piece = fc.constantFrom(
    '"',
    '""',
    '"""',
    '\\"',
    '\\"""',
    '\\',
    '\n',
    '\r',
    '#',
    'a',
    ' ',
    '[',
    '}',
    '('.repeat(60),
    '{'.repeat(101),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const document = pieces.join('')
      const { most, whole } = byLexer(document)
      if (most > maxOpenBrackets) expect(isRefused(document)).toBe(true)
      else if (whole) expect(isRefused(document)).toBe(false)
    }),
    { numRuns: 5_000 },
  )
})
