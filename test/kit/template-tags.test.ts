import { array, assert, constantFrom, property } from 'fast-check'
import { Tokenizer, TokenKind } from 'liquidjs'
import { expect, test } from 'vitest'
import { checkTemplate } from '../../src/kit/liquid.ts'
import { liquidLines, taggedCharacters } from '../../src/kit/template-tags.ts'

test('characters in tags and outputs are counted, of a tag that never ends up to the limit that is asked about', () => {
  const source = 'a{{ "}}" }}c{% if }} %}d{{ e'
  expect(taggedCharacters(source)).toBe('{{ "}}" }}'.length + '{% if }} %}'.length + '{{ e'.length)
  expect(taggedCharacters(source, 1_000)).toBe(taggedCharacters(source))
  expect(taggedCharacters(source, 10)).toBeGreaterThanOrEqual(10)
  expect(taggedCharacters(`{{${'x'.repeat(4_000_000)}`, 5_001)).toBe(5_001)
})

test('whatever liquidjs takes for tags and outputs is counted', () => {
  const texts = ['{%', '%}', '{{', '}}', '"', "'", '\\', '{', '}', '%', 'a', ' ', '-', '\n', 'if', 'x,1']
  assert(
    property(array(constantFrom(...texts), { maxLength: 30 }), (parts) => {
      const source = parts.join('')
      expect(taggedCharacters(source)).toBeGreaterThanOrEqual(taggedIn(source))
    }),
    { numRuns: 20_000 },
  )
})

function taggedIn(source: string): number {
  try {
    const tokens = new Tokenizer(source).readTopLevelTokens()
    return tokens.filter(({ kind }) => kind !== TokenKind.HTML).reduce((sum, { begin, end }) => sum + end - begin, 0)
  } catch {
    // It does not end: nothing of it is parsed.
    return 0
  }
}

test.each([
  ['an output in a tag', `{% case x %}{% when 1 }}or ${'1,'.repeat(150_000)}1 %}{% endcase %}`, /characters/],
  ['an escaped quote', `{{ x | append: "\\"}}${'a'.repeat(250_000)}" }}`, /characters/],
  ['white space that is none elsewhere', `{%\u180eliquid\n${'echo 1\n'.repeat(3_000)}%}`, /lines/],
])('a template that hides how much is parsed is refused: %s', (_how, source, problem) => {
  expect(checkTemplate(source)?.message).toMatch(problem)
})

test('lines of liquid tags are counted', () => expect(liquidLines('{%-\u180e liquid\na\nb %}')).toBe(3))
