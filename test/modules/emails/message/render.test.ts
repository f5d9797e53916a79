import { describe, expect, test } from 'vitest'
import { CpuBudget, TemplateFailure } from '../../../../src/kit/liquid.ts'
import type { Content } from '../../../../src/modules/emails/message/content.ts'
import { type RenderedContent, renderContent } from '../../../../src/modules/emails/message/render.ts'
import * as standard from '../../../help/rendered.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld()
const recipient = { ...standard.recipient, contactData: { mood: '😀', name: 'Ada' }, tracking: 'DISABLED' as const }
const content = { ...standard.content, subject: 'Hi', html: '<p>Hi</p>' }

function rendered(change: Partial<Content>): RenderedContent {
  return renderContent(world, { recipient, content: { ...content, ...change }, budget: new CpuBudget(500) })
}

describe('what is rendered', () => {
  test.each([
    ['half an emoji', '{{ mood | split: "" | first }}', '\ufffd'],
    ['the other half', '{{ mood | split: "" | last }}', '\ufffd'],
    ['a NUL', 'a{{ "%00" | url_decode }}b', 'ab'],
    ['a whole emoji', '{{ mood }}', '😀'],
  ])('is well-formed without NUL, of %s too: in subject, HTML and text', (_what, template, expected) => {
    expect(rendered({ subject: template, html: template, text: template })).toMatchObject({
      subject: expected,
      html: expected,
      text: expected,
    })
    expect(rendered({ html: `<p>${template}</p>` }).text).toBe(expected)
  })

  test('has one line in the subject', () => {
    expect(rendered({ subject: 'a{{ "%0D%0A" | url_decode }}Bcc: b' }).subject).toBe('a Bcc: b')
  })
})

describe('the text made from the HTML', () => {
  const paragraph = `<p>${'word '.repeat(1_000)}</p>\n`
  const end = '<p>Here it ends</p>'

  test.each([
    ['as it was given', paragraph.repeat(500) + end],
    ['as it was rendered', `{% for i in (1..500) %}${paragraph}{% endfor %}${end}`],
  ])('is complete for a body of more than 2 MB, %s', (_what, html) => {
    const made = rendered({ html })
    expect(made.html.length).toBeGreaterThan(2_000_000)
    expect(made.text.endsWith('Here it ends')).toBe(true)
  })

  test('is made of a body of 1 MB that is full of braces written as references', () => {
    const html = `<p>${'&#123;&lcub;x '.repeat(70_000)}</p>`
    expect(rendered({ html }).text.startsWith('{{x {{x')).toBe(true)
  }, 10_000)

  test.each([
    ['tags that are never closed', '<div>'],
    ['cells', '<td>x</td>'],
    ['links', '<a href="https://example.com/1">y</a>'],
    ['closing tags, each of which makes an element', '</p>'],
  ])(
    'is made of 50,000 elements, and refused with a sentence for more: %s',
    (_what, element) => {
      expect(rendered({ html: `${element.repeat(49_999)}<p>Here it ends</p>` }).text).toBeTypeOf('string')
      const more = element.repeat(50_001)
      const refusal = new TemplateFailure(
        'The body has more than 50,000 HTML elements, of which no text version is made. Shorten it, or send a text of your own.',
      )
      expect(() => rendered({ html: more })).toThrow(refusal)
      expect(() => rendered({ html: `{% for i in (1..50001) %}${element}{% endfor %}` })).toThrow(refusal)
      expect(rendered({ html: more, text: 'Mine' }).text).toBe('Mine')
    },
    20_000,
  )

  test('is made of 200,000 signs that begin no tag, and of no more', () => {
    expect(rendered({ html: 'a < b <3 </ '.repeat(60_000) }).text).toContain('a < b <3')
    expect(() => rendered({ html: '<'.repeat(200_001) })).toThrow(/more than 50,000 HTML elements/)
  })

  const nested = (level: string, lines: string): string => level.repeat(90) + lines.repeat(2_000)

  test.each([
    ['quotes', nested('<blockquote>', 'x<br>'), '> '.repeat(5)],
    ['lists', nested('<ul><li>', 'x<br>'), ' '.repeat(11)],
    ['numbered lists', nested('<ol><li>', 'x<br>'), ' '.repeat(16)],
  ])('stays in proportion where %s are nested deeply', (_what, html, indent) => {
    const { text } = rendered({ html })
    expect(text.split('\n').filter((line) => line.trimEnd() === `${indent}x`).length).toBeGreaterThan(1_900)
    expect(text.length).toBeLessThan(10 * html.length)
  })

  test.each([
    ['{{ url }}', '{{ url }}'],
    ['{{url}}', '{{  url }}'],
    ['https://x.example/{{ name }}', 'https://x.example/{{ name }}'],
  ])('has an address once that is shown as the words of its link: %s, %s', (href, words) => {
    const { text } = rendered({ html: `<a href="${href}">${words}</a>`, data: { url: 'https://x.example/Ada' } })
    expect(text.trim()).toBe('https://x.example/Ada')
  })

  test('keeps the spaces of strings', () => {
    expect(rendered({ html: '<p>{{ "a }}" }}</p>' }).text.trim()).toBe('a }}')
  })

  test.each([
    ['<ol type="i" start="3998"><li>a</li><li>b</li></ol>', '3998. a'],
    ['<ol type="i" start="100000000"><li>a</li></ol>', ' i. a'],
    ['<ol type="a" start="1e300"><li>a</li></ol>', ' a. a'],
    ['<ol start="5000"><li>a</li></ol>', '5000. a'],
    ['<ol type="i" start="3"><li>a</li></ol>', ' iii. a'],
    ['<ol type="I" start="-7"><li>a</li></ol>', '-7. a'],
  ])('numbers %s', (html, expected) => {
    expect(rendered({ html }).text).toContain(expected)
  })

  test.each([
    ['<p>{{ name | append: "&quot;" }} {{ name }}</p>', 'Ada&quot; Ada'],
    ["<p>{{ name | append: '&#39;s' }}</p>", 'Ada&#39;s'],
    ['<p>{{ name | append: "<!--" }}</p><p>{{ name }}</p>', 'Ada<!--\n\nAda'],
    ['<p>{{ name | replace: "<b>", "**" }}</p>', 'Ada'],
    ['<p>{{ none | default: "one  two" | split: "  " | last }}</p>', 'two'],
    ['<p>&#123;% assign x = 5 %}{{ name }}</p>', '{% assign x = 5 %}Ada'],
    ['<p>&#123;% comment %}</p>', '{% comment %}'],
    ['<p>&#123;&#123; name }}</p>', '{{ name }}'],
    ['<a href="https://a.test/{{ name }}">{{ name }}</a>', 'Ada [https://a.test/Ada]'],
  ])('says what is printed by %s', (html, expected) => {
    expect(rendered({ html }).text).toBe(expected)
  })
})
