import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CpuBudget } from '../../../../src/kit/liquid.ts'
import { renderMessage } from '../../../../src/modules/emails/message/compiled.ts'
import { isTracked, rewriteLinks, trackingOf } from '../../../../src/modules/emails/message/links.ts'
import { readClickToken, readOpenToken } from '../../../../src/modules/emails/tracking/links.ts'
import { content, recipient } from '../../../help/rendered.ts'
import { testWorld } from '../../../help/world.ts'

const world = await testWorld()
const upper = (html: string): string => rewriteLinks(html, (url) => `[${url}]`)

describe('rewriteLinks', () => {
  test.each([
    ['<a href="https://x.y/?a=1&amp;b=2">t</a>', '<a href="[https://x.y/?a=1&b=2]">t</a>'],
    ["<A class='b' HREF = 'http://x.y'>t</A>", "<A class='b' HREF = '[http://x.y]'>t</A>"],
    ['<a href=https://x.y>t</a>', '<a href=[https://x.y]>t</a>'],
    ['<area href="https://x.y">', '<area href="[https://x.y]">'],
    ['<a title="a > b" href="https://x.y">', '<a title="a > b" href="[https://x.y]">'],
    ['<a\nhref="https://x.y"\n>', '<a\nhref="[https://x.y]"\n>'],
    ['<A HREF="HTTPS://X.Y/Z">', '<A HREF="[HTTPS://X.Y/Z]">'],
    ["<a data-x='>' href='https://x.y'>", "<a data-x='>' href='[https://x.y]'>"],
    ['<a href=https://x.y/a/b?c=d target=_blank>', '<a href=[https://x.y/a/b?c=d] target=_blank>'],
    ['<a href=https://x.y/>', '<a href=[https://x.y/]>'],
    ['<a href="https://x.y"/>', '<a href="[https://x.y]"/>'],
    ['<a/href="https://x.y">', '<a/href="[https://x.y]">'],
    ['<a href=" https://x.y ">', '<a href="[https://x.y]">'],
    ['<a href="https://x.y/?q=%22&#x27;&quot;&ouml;&#8364;">', '<a href="[https://x.y/?q=%22\'"ö€]">'],
    ['<a href="&#104;ttps://x.y">', '<a href="[https://x.y]">'],
    ['<a href="https://x.y/?a=1&copy=2&amp=3">', '<a href="[https://x.y/?a=1&copy=2&amp=3]">'],
    ['<a href="https://x.y" href="https://z.y">', '<a href="[https://x.y]" href="https://z.y">'],
    ['<!-- > --><a href="https://x.y">', '<!-- > --><a href="[https://x.y]">'],
    ['<!--[if !mso]><!--><a href="https://x.y"><!--<![endif]-->', '<!--[if !mso]><!--><a href="[https://x.y]"><!--<![endif]-->'],
    ['<script>"<a>"</script><a href="https://x.y">', '<script>"<a>"</script><a href="[https://x.y]">'],
    ['a < b <a href="https://x.y">', 'a < b <a href="[https://x.y]">'],
    ['<b <a href="https://x.y">', '<b <a href="https://x.y">'],
    ['<textarea></textarea><a href="https://x.y">', '<textarea></textarea><a href="[https://x.y]">'],
  ])('replaces the target: %s', (html, expected) => expect(upper(html)).toBe(expected))

  test.each([
    '<a href="mailto:a@b.c">',
    '<a href="tel:+1">',
    '<a href="#top">',
    '<a href="/relative">',
    '<a href="javascript:alert(1)">',
    '<a href="https://">',
    '<a data-no-track href="https://x.y">',
    '<a href="https://x.y" data-no-track="1">',
    '<abbr href="https://x.y">',
    '<img src="https://x.y">',
    '<!-- <a href="https://x.y">t</a> -->',
    '<!--[if mso]><a href="https://x.y">t</a><![endif]-->',
    '<!-- <a href="https://x.y">',
    '<script>const link = \'<a href="https://x.y">\'</script>',
    '<STYLE>a::after { content: \'<a href="https://x.y">\' }</STYLE>',
    '<title><a href="https://x.y"></title>',
    '<textarea><a href="https://x.y"></textarea>',
    '<![CDATA[<a href="https://x.y"]]>',
    '<div title="<a href=&quot;https://x.y&quot;>">',
    '<div title=\'<a href="https://x.y">\'>',
    '<a xhref="https://x.y">',
    '<a data-href="https://x.y">',
    '<a href href="https://x.y">',
    '<a href="https://x.y" DATA-NO-TRACK>',
    '<ax href="https://x.y">',
    '</a href="https://x.y">',
    '<a href="https://x.y',
    '<a href="https://x.y"',
    '<a',
    'plain https://x.y text',
    '',
  ])('keeps: %s', (html) => expect(upper(html)).toBe(html))

  test('replaces every target and changes no other byte, whatever the text around it', () => {
    const noise = fc.constantFrom(
      'text & more &amp; ',
      'a < b',
      '<p class="x">',
      '</p>',
      '<br/>',
      '<img src="https://i.e/x.png">',
      'ö€😀\r\n\t',
    )
    const hidden = fc.constantFrom(
      '<!-- <a href="https://no.e"> -->',
      '<style>a > b {}</style>',
      '<script>"<a href=https://no.e>"</script>',
    )
    const url = fc.webUrl({ withQueryParameters: true }).map((text) => text.replace(/["'<>\s]/g, ''))
    const link = fc
      .tuple(
        url,
        fc.constantFrom('"', "'"),
        fc.constantFrom('a', 'A', 'area'),
        fc.constantFrom('', ' title="a > b"', ' disabled', " x='y'"),
      )
      .map(([target, quote, tag, more]) => ({ before: `<${tag}${more} href=${quote}`, target, after: `${quote}${more}>` }))
    fc.assert(
      fc.property(fc.array(fc.oneof(noise, hidden, link), { maxLength: 30 }), (parts) => {
        const write = (as: (target: string) => string): string =>
          parts.map((part) => (typeof part === 'string' ? part : part.before + as(part.target) + part.after)).join('')
        const found: string[] = []
        const count = () => `[${found.length}]`
        const rewritten = rewriteLinks(
          write((target) => target.replaceAll('&', '&amp;')),
          (target) => {
            found.push(target)
            return count()
          },
        )
        expect(found).toEqual(parts.flatMap((part) => (typeof part === 'string' ? [] : [part.target])))
        let at = 0
        expect(rewritten).toBe(write(() => `[${++at}]`))
      }),
      { numRuns: 500 },
    )
  })

  test('changes nothing where nothing is replaced, whatever the text', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      'a',
      'area',
      ' ',
      'href',
      '=',
      '"',
      "'",
      'https://x.y',
      '<!--',
      '-->',
      '<script>',
      '</script>',
      '&',
      '/',
      '<![CDATA[',
      ']]>',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ unit: 'binary' })), { maxLength: 60 }), (parts) => {
        const html = parts.join('')
        expect(rewriteLinks(html, () => null)).toBe(html)
        // Taking the mark out again leaves the text without the targets.
        const targets: string[] = []
        const marked = rewriteLinks(html, (target) => {
          targets.push(target)
          return '\u0001'
        })
        expect(marked.split('\u0001')).toHaveLength(targets.length + html.split('\u0001').length)
        let from = 0
        for (const kept of marked.split('\u0001')) {
          const next = html.indexOf(kept, from)
          expect(next).toBeGreaterThanOrEqual(from)
          from = next + kept.length
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('refuses more than 20,000 links, compiled or not', () => {
    const links = '<a href="https://x.y/1">t</a>'.repeat(20_001)
    const sentence = /more than 20,000 links to track or to label. Leave some out, or send it without tracking/
    expect(() => upper(links)).toThrow(sentence)
    const input = { recipient: { ...recipient, tracking: 'ENABLED' as const }, budget: new CpuBudget(500) }
    expect(() => renderMessage(world, { ...input, content: { ...content, html: links } })).toThrow(sentence)
    const sent = renderMessage(world, { ...input, content: { ...content, html: links, tracking: false } })
    expect(Buffer.concat([sent.html].flat().map((part) => Buffer.from(part))).toString()).toBe(links)
  })

  test('is fast for hostile text', () => {
    const before = process.threadCpuUsage()
    for (const html of [
      '<a '.repeat(200_000),
      '<a href="'.repeat(100_000),
      `<a ${'x="" '.repeat(200_000)}`,
      '<'.repeat(500_000),
      '<!--'.repeat(200_000),
      '<a href=https://x.y>'.repeat(20_000),
      `<a href="${'&'.repeat(500_000)}">`,
      '<svg>'.repeat(100_000),
      '<script>'.repeat(100_000),
    ])
      upper(html)
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(10_000)
  })
})

describe('tokens', () => {
  const { vault } = world

  test('that are forged or of another project are refused', () => {
    const mail = vault.sign('tracked mail', ['prj_a', 'eml_a'])
    const link = vault.sign('tracked link', ['prj_a', 'https://x.y/'])
    const foreign = vault.sign('tracked link', ['prj_b', 'https://evil.example/'])
    expect(readOpenToken(world, mail)).toEqual({ projectId: 'prj_a', id: 'eml_a' })
    expect(readClickToken(world, `${mail}~${link}`)).toEqual({ projectId: 'prj_a', id: 'eml_a', url: 'https://x.y/' })
    for (const forged of [
      '',
      '~',
      mail,
      link,
      `${mail}~${foreign}`,
      `${link}~${mail}`,
      `${mail}x~${link}`,
      `${mail}~${link}x`,
      `${mail}~`,
      '.~.',
    ]) {
      expect(readClickToken(world, forged)).toBeNull()
    }
    expect(readOpenToken(world, link)).toBeNull()
  })
})

test.each([
  ['ENABLED', null, 'TRANSACTIONAL', true],
  ['DISABLED', null, 'MARKETING', false],
  ['MARKETING_ONLY', null, 'TRANSACTIONAL', false],
  ['MARKETING_ONLY', null, 'MARKETING', true],
  ['DISABLED', true, 'TRANSACTIONAL', true],
  ['ENABLED', false, 'MARKETING', false],
] as const)('a project with tracking %s, the email’s setting %s, type %s: tracked %s', (project, wish, type, expected) => {
  expect(isTracked({ tracking: project }, { tracking: wish, type })).toBe(expected)
})

test('a target is tracked as long as its tracked link has at most 6,000 characters, also where a character takes several octets', () => {
  const tracking = trackingOf(world, recipient, { ...content, tracking: true }, { unsubscribeUrl: 'u', subscribeUrl: 's', manageUrl: 'm' })
  for (const character of ['a', 'ü', '漢', '\\']) {
    let length = 500
    while (length < 6_000 && tracking?.linkTo(`https://x.y/?${character.repeat(length + 1)}`)) length++
    const longest = tracking?.linkTo(`https://x.y/?${character.repeat(length)}`)?.length ?? 0
    expect([longest > 5_980, longest <= 6_000]).toEqual([true, true])
  }
})
