import { describe, expect, test } from 'vitest'
import { CpuBudget } from '../../../../src/kit/liquid.ts'
import type { Content } from '../../../../src/modules/emails/message/content.ts'
import { bodyStart, previewMarkup } from '../../../../src/modules/emails/message/preview-text.ts'
import { renderContent } from '../../../../src/modules/emails/message/render.ts'
import * as standard from '../../../help/rendered.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld()

function rendered(change: Partial<Content>) {
  const content = { ...standard.content, subject: 'Hi', html: '<p>Hi</p>', data: { name: 'Ada <b> & co' }, ...change }
  return renderContent(world, { recipient: standard.recipient, content, budget: new CpuBudget(500) })
}

describe('the body begins', () => {
  test.each([
    ['<p>Hi</p>', 0],
    ['Hi', 0],
    ['', 0],
    ['<html><body class="a > b">Hi', '<html><body class="a > b">'.length],
    [
      '<!doctype html><html lang="en"><head><title>a</title></head><body>Hi',
      '<!doctype html><html lang="en"><head><title>a</title></head><body>'.length,
    ],
    ['<!DOCTYPE html>\n<title>a</title><p>Hi', '<!DOCTYPE html>'.length],
    ['<html><p>Hi', '<html>'.length],
    ['<head><style>p > a {}</style></head ><p>Hi', '<head><style>p > a {}</style></head >'.length],
    ['<html><head><xml></xml></head><p>Hi<body>', '<html><head><xml></xml></head>'.length],
    ['<!-- <body> --><p>Hi', 0],
    ['<title><body></title><p>Hi', 0],
    ['<script>"<body>"</script><BODY\nid=x>Hi', '<script>"<body>"</script><BODY\nid=x>'.length],
    ['<p>Forwarded</p><html><body>Hi', 0],
    ['<body', 0],
  ])('in %s at %i', (html, expected) => expect(bodyStart(html)).toBe(expected))

  test('at a place that is found in a moment, whatever the text', () => {
    const before = process.threadCpuUsage()
    for (const html of [
      '<head>'.repeat(200_000),
      '<!doctype html>'.repeat(100_000),
      `<body ${'x="" '.repeat(200_000)}`,
      '<'.repeat(500_000),
    ])
      bodyStart(html)
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(5_000)
  })
})

describe('a preview text', () => {
  test('is hidden where the body begins, escaped, on one line and with room behind it; and not in the text', () => {
    const { html, text } = rendered({ previewText: 'For {{ name }}\u2028or', html: '<html><body><p>Hi</p></body></html>' })
    expect(html).toMatch(
      /^<html><body><div style="display:none;[^"]+">For Ada &lt;b&gt; &amp; co or(&#847;&zwnj;&nbsp;)+<\/div><p>Hi<\/p><\/body><\/html>$/,
    )
    expect(text).toBe('Hi')
  })

  test.each([null, '{{ missing }}', '{% comment %}nothing{% endcomment %}'])('that prints nothing adds nothing: %s', (previewText) => {
    expect(rendered({ previewText }).html).toBe('<p>Hi</p>')
  })

  test('is cut after 200 characters, not in the middle of one', () => {
    const { html } = rendered({ previewText: '{{ long }}', data: { long: `${'x'.repeat(199)}😀` } })
    expect(html).toContain(`>${'x'.repeat(199)}</div>`)
    expect(html.isWellFormed()).toBe(true)
  })

  test('that fails, fails the email with a sentence', () => {
    expect(() => rendered({ previewText: '{{ name | nonsense }}' })).toThrow(/could not be rendered: .*nonsense/)
  })

  test('has the more padding the shorter it is', () => {
    expect(previewMarkup('a').length).toBeGreaterThan(previewMarkup('a'.repeat(100)).length)
    expect(previewMarkup('a'.repeat(150))).not.toContain('&nbsp;')
  })
})
