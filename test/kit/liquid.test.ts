import { describe, expect, test } from 'vitest'
import { checkTemplate, renderTemplate, TemplateFailure } from '../../src/kit/liquid.ts'
import { collectGarbage } from '../help/memory.ts'

const scope = {
  name: 'Ada <b>',
  list: [1, '<', { a: 1 }],
  object: { tier: 'pro' },
  none: null,
  empty: '',
  zero: 0,
  profile: { tier: 'gold' },
}

describe('renderTemplate', () => {
  test.each([
    ['{{name}}', 'Ada &lt;b&gt;', 'Ada <b>'],
    ['{{ name | raw }}', 'Ada <b>', 'Ada <b>'],
    ['{{ name | escape }}', 'Ada &lt;b&gt;', 'Ada &lt;b&gt;'],
    ['{{ name | upcase }}', 'ADA &lt;B&gt;', 'ADA <B>'],
    ['{{ missing }}{{ none }}|', '|', '|'],
    ['{{ missing ?? "you" }}, {{ none ?? "you" }}', 'you, you', 'you, you'],
    ['{{ empty ?? "you" }}{{ zero ?? 5 }}', '0', '0'],
    ['{{ list }}', '1, &lt;, {&quot;a&quot;:1}', '1, <, {"a":1}'],
    ['{{ object }}', '{&quot;tier&quot;:&quot;pro&quot;}', '{"tier":"pro"}'],
    ['{{ profile.tier }}{{ profile.none.none }}', 'gold', 'gold'],
    ['{% if empty %}yes{% else %}no{% endif %}', 'no', 'no'],
    ['{% for i in list limit: 2 %}{{ i }};{% endfor %}', '1;&lt;;', '1;<;'],
    ['{% capture x %}<i>{{ name }}</i>{% endcapture %}{{ x }}', '<i>Ada &lt;b&gt;</i>', '<i>Ada <b></i>'],
    ['{% raw %}{{ name }}{% endraw %}', '{{ name }}', '{{ name }}'],
    ['no variables <b>', 'no variables <b>', 'no variables <b>'],
  ])('%s', (source, html, text) => {
    expect(renderTemplate(source, scope, 'html')).toBe(html)
    expect(renderTemplate(source, scope, 'text')).toBe(text)
  })

  test('a value that looks like a template is not rendered again', () => {
    expect(renderTemplate('{{ a }}', { a: '{{ b }}', b: 'secret' }, 'text')).toBe('{{ b }}')
  })

  test.each([
    '{{ profile.__proto__ }}{{ profile.constructor }}{{ constructor }}{{ __proto__ }}',
    '{{ name.constructor.name }}{{ list.map }}{{ profile.toString }}{{ name["__proto__"] }}',
  ])('prototypes are not accessible: %s', (source) => {
    expect(renderTemplate(source, scope, 'text')).toBe('')
  })

  test.each([
    [
      'endless nested loops',
      '{% for i in (1..10000) %}{% for j in (1..10000) %}{% for k in (1..1000) %}{% endfor %}{% endfor %}{% endfor %}',
    ],
    ['a range of a billion', '{% for i in (1..1000000000) %}x{% endfor %}'],
    ['a string that doubles', '{% assign x = "aaaaaaaaaa" %}{% for i in (1..60) %}{% assign x = x | append: x %}{% endfor %}{{ x }}'],
    [
      'a capture that doubles',
      '{% capture x %}aaaaaaaaaa{% endcapture %}{% for i in (1..60) %}{% capture x %}{{ x }}{{ x }}{% endcapture %}{% endfor %}',
    ],
    ['too much output', `{% for i in (1..100000) %}${'x'.repeat(1000)}{% endfor %}`],
  ])('stops %s with a sentence', (_what, source) => {
    const started = performance.now()
    expect(() => renderTemplate(source, {}, 'html')).toThrow(TemplateFailure)
    expect(() => renderTemplate(source, {}, 'text')).toThrow(/^The template could not be rendered: .+ \(line \d+, column \d+\)\.$/)
    expect(performance.now() - started).toBeLessThan(20_000)
  })

  const unknown = (zone: string) => `the time zone "${zone}" of the filter "date" is unknown: use a name such as Europe/Berlin`
  test.each([
    ['a literal', 'one\n  {{ "now" | date: "%H:%M", "Europe/Berln" }}', unknown('Europe/Berln'), 'line 2, column 3'],
    ['a variable', '{% if name %}{{ "now" | date: "%H", name }}{% endif %}', unknown('Ada <b>'), 'line 1, column 14'],
    ['a long one', '{{ "now" | date: "%H", long }}', unknown(`${'x'.repeat(99)}…`), 'line 1, column 1'],
  ])('a time zone that does not exist is named, with its place: %s', (_what, source, problem, place) => {
    const render = () => renderTemplate(source, { ...scope, long: 'x'.repeat(1_000) }, 'html')
    expect(render).toThrow(`The template could not be rendered: ${problem} (${place}).`)
  })

  test('only what is too deep or too large is said to be that', () => {
    const deep = `${'{% if name %}'.repeat(5_000)}${'{% endif %}'.repeat(5_000)}`
    expect(() => renderTemplate(deep, scope, 'html')).toThrow('it is nested too deeply or grows too large')
  })
})

describe('checkTemplate', () => {
  test('returns null for a template that parses', () => {
    expect(checkTemplate('Hello {{ name ?? "you" }}')).toBeNull()
    expect(checkTemplate('<p>{ % } }} plain')).toBeNull()
    for (const filter of ['date', 'date: "%H"']) expect(checkTemplate(`{{ x | ${filter} }}`)).toBeNull()
    for (const zone of ['"Europe/Berlin"', '"+05:30"', '"utc"', '-60', 'zone'])
      expect(checkTemplate(`{{ x | date: "%H", ${zone} }}`)).toBeNull()
  })

  test.each([
    ['a tag that is not closed', 'one\n{% if x %}', { line: 2, column: 1 }],
    ['an output that is not closed', 'one\n  {{ x', { line: 2, column: 3 }],
    ['a filter that does not exist', '{{ x | shout }}', { line: 1, column: 1 }],
    ['a file tag', '{% include "secrets" %}', { line: 1, column: 1 }],
    ['another file tag', '{% render "/etc/passwd" %}', { line: 1, column: 1 }],
    ['a time zone that does not exist', 'a {{ "now" | date: "%H", "Europe/Berln" }}', { line: 1, column: 3 }],
    ['one in a tag', '{% if x %}\n{% assign y = x | date: "%H", "Nowhere" %}{% endif %}', { line: 2, column: 1 }],
  ])('reports line and column of %s', (_what, source, at) => {
    expect(checkTemplate(source)).toEqual({ message: expect.stringMatching(/\w/), ...at })
  })

  test.each([
    ['nesting', '{% if a %}'.repeat(20_000)],
    ['length', `{{ a }}${'x'.repeat(2_000_001)}`],
  ])('bounds %s', (_what, source) => {
    expect(checkTemplate(source)).toMatchObject({ message: expect.any(String) })
  })
})

test('the cache of parsed templates is limited by their memory, not by the length of their source', () => {
  const usedBytes = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const before = usedBytes()
  // Each of these takes 140 bytes per character once it is parsed.
  for (let at = 0; at < 40; at++) checkTemplate(`${'{{a}}'.repeat(4_000)}${at}`)
  expect(usedBytes() - before).toBeLessThan(60_000_000)
})

describe('a template of many tags', () => {
  test('is parsed like any other', () => {
    const source = '{% if a %}{{ b }}{% else %}-{% endif %}'.repeat(4_000)
    expect(renderTemplate(source, { a: true, b: 'x' }, 'text')).toBe('x'.repeat(4_000))
  })

  test('is refused when its liquid tags have more than 2,000 lines', () => {
    expect(checkTemplate(`{% liquid\n${'echo a\n'.repeat(1_000)}%}`)).toBeNull()
    expect(checkTemplate(`{% liquid\n${'echo a\n'.repeat(2_000)}%}`)).toMatchObject({
      message: 'its liquid tags have more than 2000 lines',
    })
  })

  test('is refused when its tags have more than 200,000 characters in all', () => {
    const cycle = (count: number) => `{% cycle ${'1,'.repeat(count)}1 %}`
    expect(checkTemplate(cycle(90_000))).toBeNull()
    expect(checkTemplate(cycle(60_000) + cycle(60_000))).toMatchObject({
      message: 'its tags and outputs have more than 200000 characters in all',
    })
  })

  test('is refused beyond 20,000, with the place of the first that is too many', () => {
    expect(checkTemplate('{{ a }}'.repeat(20_000))).toBeNull()
    expect(checkTemplate(`${'{{ a }}\n'.repeat(20_000)}x{% if a %}{% endif %}`)).toEqual({
      message: 'it has more than 20000 tags and outputs',
      line: 20_001,
      column: 2,
    })
  })
})

test.each(['comment', 'raw', 'raw x', 'capture a', 'for a in b', 'tablerow a in b', 'if a', 'unless a', 'case a'])(
  'the block %s that is not closed is a problem with its line',
  (tag) => {
    expect(checkTemplate(`one\n{% ${tag} %} two {{ three }}`)).toMatchObject({ message: expect.stringContaining('not closed'), line: 2 })
  },
)
