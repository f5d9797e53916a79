// What is compiled once for all recipients is our own shortcut for speed: these tests hold it to rendering as a whole.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CpuBudget, TemplateFailure } from '../../../../src/kit/liquid.ts'
import { compileHtml, compilePreviewed } from '../../../../src/modules/emails/message/compile.ts'
import { type RenderedMessage, renderCompiled, renderMessage } from '../../../../src/modules/emails/message/compiled.ts'
import { composeMessage } from '../../../../src/modules/emails/message/compose.ts'
import type { Content, Recipient } from '../../../../src/modules/emails/message/content.ts'
import { trackContent } from '../../../../src/modules/emails/message/links.ts'
import { renderContent } from '../../../../src/modules/emails/message/render.ts'
import { content, recipient } from '../../../help/rendered.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld()

interface Case {
  recipient: Recipient
  content: Content
}

function octets({ recipient: email, content: of }: Case, render: () => RenderedMessage): string {
  try {
    return Buffer.concat(composeMessage({ email, content: of, rendered: render() })).toString('latin1')
  } catch (error) {
    if (error instanceof TemplateFailure) return error.message
    throw error
  }
}

const asAWhole = (one: Case): string =>
  octets(one, () => trackContent(world, one.recipient, one.content, renderContent(world, { ...one, budget: new CpuBudget(500) })))
const asCompiled = (one: Case): string => octets(one, () => renderMessage(world, { ...one, budget: new CpuBudget(500) }))

const output = fc.constantFrom(
  '{{ name }}',
  '{{ missing }}',
  '{{name|upcase}}',
  '{{ list | join: ", " }}',
  '{{ name | raw }}',
  '{{- name -}}',
  '{{ "a}}b" }}',
  '{{ name | slice: 0 }}',
  '{{ unsubscribeUrl }}',
  '{{ unsubscribeUrl | remove: "http" }}',
  '{{ url }}',
  '{{ name | newline_to_br }}',
  '{{ nonsense | nonsense }}',
)
const safeOutput = fc.constantFrom('{{ name }}', '{{ url }}', '{{ manageUrl }}', '{{ list | join: "." }}', '{{ missing }}')
const fragments = fc.constantFrom(
  'word ',
  ' . ',
  '\n',
  '\r\n',
  '\r',
  '\n.\n',
  ' \n',
  'Grüße 😀 ',
  'x'.repeat(70),
  `${'word '.repeat(30)}\n`,
  '<p>',
  '</p>',
  '<br>',
  '<b title="',
  '">',
  "<a href='https://a.b/?x=",
  "'>t</a>",
  '<a href="https://x.y/?a=1&amp;b=2">t</a>\n',
  '<a href="mailto:a@b.c">',
  '<a data-no-track href="https://no.e">',
  '<a href="',
  '">link</a>',
  '</body>',
  '</html>',
  '<',
  '<!--',
  '-->',
  '<style>a > b {}</style>',
  '<body>',
  '<head>',
  '<!doctype html>',
  '<script>',
  '</scr',
  'ipt>',
  '<title>',
  '</title>',
  '{',
  '}',
  '&',
  '\ue000',
  '{% if name %}a{% endif %}',
)
const wellBehaved = fc
  .array(
    fc.oneof(
      safeOutput,
      fc.constantFrom('word ', '\n', '\r\n', '. ', '<br>', `${'lange Wörter '.repeat(9)}\n`, '<a href="https://x.y/?a=1&amp;b=2">t</a>'),
      safeOutput.map((one) => `<a href="https://x.y/${one}">${one}</a>`),
      safeOutput.map((one) => `<a href='${one}'>t</a>`),
      safeOutput.map((one) => `<p title="${one}">`),
    ),
    { maxLength: 25 },
  )
  .chain((parts) =>
    fc.constantFrom(
      parts.join(''),
      `<html><body>${parts.join('')}</body></html>`,
      `${parts.join('')}</BODY>\n</html>\n`,
      `<!doctype html>\n<html><head><title>{{ name }}</title></head>\n<body title="{{ url }}">${parts.join('')}</body></html>`,
      `<!doctype html>${parts.join('')}`,
    ),
  )
const anything = fc.array(fc.oneof(output, fragments, fragments), { maxLength: 25 }).map((parts) => parts.join(''))

const value = fc.oneof(
  fc.constantFrom(
    'Ada',
    '',
    '<b>"x"</b>',
    "'",
    '.',
    '\n.\n',
    'a\r',
    '\ud83d',
    '\0',
    '\ue001',
    '\ue000',
    'https://u.v/w',
    ' https://u.v/?a&b',
    'x'.repeat(200),
    'ipt',
    '</body>',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
const cases = (html: fc.Arbitrary<string>): fc.Arbitrary<Case> =>
  fc
    .record({
      html,
      previewText: fc.option(
        fc.array(fc.oneof(output, fc.constantFrom('a ', ' & ', '😀', '<b>')), { maxLength: 4 }).map((parts) => parts.join('')),
      ),
      utm: fc.option(fc.constant({ source: 'news', medium: 'email', campaign: null })),
      text: fc.option(fc.array(fc.oneof(output, fragments), { maxLength: 8 }).map((parts) => parts.join(''))),
      type: fc.constantFrom('TRANSACTIONAL', 'MARKETING', 'HEADLESS'),
      tracking: fc.option(fc.boolean()),
      data: fc.record({ name: value, url: value, list: fc.array(value, { maxLength: 3 }) }),
      locale: fc.constantFrom('en', 'de'),
    })
    .map(({ locale, utm, ...change }) => ({
      recipient: { ...recipient, utm, contactData: { locale } },
      content: { ...content, ...change } as Content,
    }))

describe('an email from a compiled content', () => {
  test.each([
    ['usual templates', wellBehaved, 0.3],
    ['anything', anything, 0.02],
  ])(
    'is octet for octet the one rendered as a whole, for 3,000 generated contents: %s',
    (_what, html, least) => {
      let compiled = 0
      fc.assert(
        fc.property(cases(html), (one) => {
          expect(asCompiled(one)).toBe(asAWhole(one))
          try {
            if (renderCompiled(world, { ...one, budget: new CpuBudget(500) })) compiled++
          } catch (error) {
            expect(error).toBeInstanceOf(TemplateFailure)
          }
        }),
        { numRuns: 3_000 },
      )
      expect(compiled / 3_000).toBeGreaterThan(least)
    },
    120_000,
  )

  test('shares the octets of all lines that print nothing', () => {
    const line = `<p>${'word '.repeat(20)}</p>\n`
    const bodies = ['Ada', 'Bob'].map((name) => {
      const one = { recipient, content: { ...content, html: `${line}<p>{{ name }}</p>\n${line}`, data: { name } } }
      return renderCompiled(world, { ...one, budget: new CpuBudget(500) })?.html as Uint8Array[]
    })
    expect(bodies.map((body) => body.length)).toEqual([4, 4])
    expect([bodies[0]?.[0] === bodies[1]?.[0], bodies[0]?.[1] === bodies[1]?.[1]]).toEqual([true, false])
  })

  test.each([
    ['a tag', '{% if name %}a{% endif %}'],
    ['a value in a comment', '<!-- {{ name }} -->'],
    ['a value as a tag', '<{{ name }}>'],
    ['a value in an attribute without quotes', '<a href={{ name }}>t</a>'],
    ['markup that is printed', '<p>{{ name | raw }}</p>'],
    ['a link after the end of the body', '</body><a href="https://x.y">t</a>'],
    ['an attribute that never ends', '<a href="https://x.y'],
  ])('is rendered as a whole where the template has %s', (_what, html) => expect(compileHtml(html)).toBeNull())

  test('is rendered as a whole where a preview text would stand behind the end of the body', () => {
    expect(compileHtml('</body><body>x')).not.toBeNull()
    expect(compilePreviewed('</body><body>x')).toBeNull()
  })

  test('keeps the budget of a template: many slow outputs end together', () => {
    const slow = '{{ words | split: "," | sort | reverse | sort | join: "," | slice: 0 }}'
    const words = Array.from({ length: 30_000 }, (_, at) => (at * 7_919) % 30_011).join(',')
    let sections = 0
    const budget = new CpuBudget(500, () => sections++)
    renderMessage(world, { recipient, content: { ...content, html: `<p>${slow.repeat(5)}</p>`, text: 'x', data: { words } }, budget })
    // Begin and end of the subject and of the body: what a thread is ended for counts all outputs of a body.
    expect(sections).toBe(4)
  })
})

test('a content with a text of its own needs none that is made from its HTML', () => {
  const own = { ...content, html: '<hr>'.repeat(140_000), text: 'short' }
  const budget = new CpuBudget(1_000)
  const { text } = renderMessage(world, { recipient, content: own, budget })
  expect(Buffer.concat([text].flat().map((part) => Buffer.from(part))).toString()).toBe('short')
})
