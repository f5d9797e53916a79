import { describe, expect, test } from 'vitest'
import { renderTemplate } from '../../../../src/kit/liquid.ts'
import { textTemplateOf } from '../../../../src/modules/emails/message/render.ts'
import { htmlOfDocument } from '../../../../src/modules/templates/visual/html.ts'
import { type Block, type Inline, VisualDocumentInput } from '../../../../src/modules/templates/visual/shapes.ts'

const html = (...content: Block[]) => htmlOfDocument({ type: 'doc', content })
const line = (...content: Inline[]) => html({ type: 'paragraph', content })
const said = (text: string): Inline => ({ type: 'text', text })
const named = (path: string, fallback?: string): Inline => ({
  type: 'variable',
  attrs: { path, ...(fallback !== undefined && { fallback }) },
})
const printed = (source: string, scope = {}) => /<p style="margin:0 0 16px">(.*?)<\/p>/s.exec(renderTemplate(source, scope, 'html'))?.[1]

describe('the HTML of a document', () => {
  test('has tables and inline styles, and every kind of node', () => {
    const made = html(
      { type: 'heading', attrs: { level: 2 }, content: [said('News')] },
      {
        type: 'paragraph',
        content: [{ type: 'text', text: 'both', marks: [{ type: 'bold' }, { type: 'italic' }] }, { type: 'hardBreak' }, said('end')],
      },
      {
        type: 'orderedList',
        attrs: { start: 3 },
        content: [{ type: 'listItem', content: [{ type: 'paragraph', content: [said('item')] }] }],
      },
      {
        type: 'bulletList',
        content: [{ type: 'listItem', content: [{ type: 'paragraph' }, { type: 'blockquote', content: [{ type: 'horizontalRule' }] }] }],
      },
      { type: 'image', attrs: { src: 'https://example.com/a.png?x=1&y=2', alt: 'A "dot"' } },
      { type: 'button', attrs: { href: 'https://example.com/', label: 'Go <now>' } },
    )
    expect(made).toMatch(/<h2 style="[^"]+">News<\/h2>/)
    expect(made).toContain('<strong><em>both</em></strong><br>end')
    expect(made).toMatch(/<ol start="3" style="[^"]+">\n<li style="[^"]+">item<\/li>/)
    expect(made).toContain('<img src="https://example.com/a.png?x=1&amp;y=2" alt="A &quot;dot&quot;"')
    expect(made).toMatch(/<a href="https:\/\/example.com\/" style="[^"]+">Go &lt;now&gt;<\/a>/)
    expect(made).toContain('<table role="presentation" width="600"')
  })

  test('joins neighbours with the same link', () => {
    const marks = [{ type: 'link' as const, attrs: { href: 'https://example.com/' } }]
    const made = line({ type: 'text', text: 'see ', marks }, { type: 'text', text: 'here', marks: [...marks, { type: 'bold' }] }, said('.'))
    expect(made).toMatch(/<a href="https:\/\/example.com\/" style="[^"]+">see <strong>here<\/strong><\/a>\./)
  })

  test.each([
    '<script>alert(1)</script>',
    '{{ email }} {{email}} {{- email -}}',
    '{% for a in (1..9) %}x{% endfor %}',
    '{{{ email }}} {{% {%{{ { {',
    '{% raw %}{{ x }}{% endraw %}',
    `{{ '{' }} {{ "{{" }} it's \\ "so"`,
  ])('prints the text %s as it is', (text) => {
    const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' }
    const shown = printed(line(said(text)), { email: 'WRONG', x: 'WRONG' })
    expect(shown).not.toContain('<script')
    expect(shown?.replace(/&(lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? '')).toBe(text)
  })

  test('prints what only looks like a variable beside one, also in the plain text', () => {
    const made = line(said('{'), named('name'), said('{{ name }}'), said('{'), said('{ name }}'))
    expect(printed(made, { name: 'Ada' })).toBe('{Ada{{ name }}{{ name }}')
    expect(renderTemplate(textTemplateOf(made) ?? '', { name: 'Ada' }, 'text')).toContain('{Ada{{ name }}{{ name }}')
  })

  test('escapes the values of variables, and their fallbacks whatever is in them', () => {
    expect(printed(line(named('profile.name', 'friend')), { profile: { name: '<b>' } })).toBe('&lt;b&gt;')
    for (const fallback of ['friend', '"}} {{ email }}', '%} {% if %}', '\\', `it's <b> & "so"\n{{`]) {
      const made = line(named('name', fallback))
      expect(renderTemplate(made, { email: 'WRONG' }, 'text')).toContain(`<p style="margin:0 0 16px">${fallback}</p>`)
      expect(printed(made)).not.toContain('<b>')
    }
  })

  test('places paragraphs, headings, pictures and buttons by attribute and by style, and says nothing of the left', () => {
    const attrs = { align: 'center' } as const
    const made = html(
      { type: 'paragraph', attrs, content: [said('a')] },
      { type: 'heading', attrs: { level: 1, align: 'right' }, content: [said('b')] },
      { type: 'image', attrs: { src: 'https://example.com/a.png', ...attrs } },
      { type: 'button', attrs: { href: 'https://example.com/', label: 'Go', align: 'right' } },
      { type: 'bulletList', content: [{ type: 'listItem', content: [{ type: 'paragraph', attrs, content: [said('c')] }] }] },
    )
    expect(made).toContain('<p align="center" style="margin:0 0 16px;text-align:center">a</p>')
    expect(made).toMatch(/<h1 align="right" style="[^"]+;text-align:right">b<\/h1>/)
    expect(made).toMatch(/<p align="center" style="[^"]+;text-align:center"><img src="[^"]+" alt="" style="display:inline-block;/)
    expect(made).toMatch(/<td align="right"><table role="presentation" [^>]+ style="margin:0 0 0 auto"><tr><td bgcolor/)
    expect(made).toContain('<li style="margin:0 0 8px;text-align:center">c</li>')
    const [plain, left, none] = [{}, { align: 'left' }, { align: null }].map((attrs) =>
      html(
        { type: 'paragraph', attrs, content: [said('a')] } as Block,
        { type: 'button', attrs: { href: 'https://example.com/', label: 'Go', ...attrs } } as Block,
      ),
    )
    expect([left, none]).toEqual([plain, plain])
  })

  test('prints variables as segments of the path and values of the query of addresses, encoded', () => {
    const hrefOf = (href: string, scope = {}) => {
      const made = html({ type: 'button', attrs: { href, label: 'Go' } })
      return /<a href="([^"]*)"/.exec(renderTemplate(made, scope, 'html'))?.[1]
    }
    const order = { order: { id: 'a/b c+d?e&f#"<é' } }
    expect(hrefOf('https://example.com/{{ order.id }}/x?o={{order.id}}&p=1', order)).toBe(
      'https://example.com/a%2Fb%20c%2Bd%3Fe%26f%23%22%3C%C3%A9/x?o=a%2Fb%20c%2Bd%3Fe%26f%23%22%3C%C3%A9&amp;p=1',
    )
    expect(hrefOf('https://example.com/?o={{ order.id }}')).toBe('https://example.com/?o=')
    const manageUrl = 'https://mail.example.com/manage/t'
    expect(hrefOf('{{ manageUrl }}', { manageUrl })).toBe(manageUrl)
    for (const href of ['https://{{x}}/', 'https://{{x}}.example.com/', 'https://example.com/a{{x}}', 'https://example.com/{{x|raw}}'])
      expect(hrefOf(href, { x: 'WRONG' })).toBe(href.replaceAll('{', '%7B').replaceAll('}', '%7D'))
  })

  test('has no other Liquid in addresses', () => {
    const made = html({ type: 'button', attrs: { href: 'https://example.com/?a={{ email }}{%x%}', label: '{{ email }}' } })
    expect(made).toContain('href="https://example.com/?a=%7B%7B email %7D%7D%7B%x%%7D"')
    expect(renderTemplate(made, { email: 'WRONG' }, 'html')).not.toContain('WRONG')
  })
})

describe('a document that a caller sends', () => {
  const doc = (...content: unknown[]) => ({ type: 'doc', content })
  const text = (href: string) =>
    doc({ type: 'paragraph', content: [{ type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href } }] }] })
  const nested = (levels: number): unknown => (levels === 0 ? { type: 'paragraph' } : { type: 'blockquote', content: [nested(levels - 1)] })

  test('loses attributes that are not known', () => {
    const given = doc({ type: 'heading', attrs: { level: 1, style: 'x' }, onclick: 'x', content: [{ type: 'text', text: 'a' }] })
    expect(VisualDocumentInput.parse(given)).toEqual(doc({ type: 'heading', attrs: { level: 1 }, content: [{ type: 'text', text: 'a' }] }))
    for (const href of [
      'https://example.com/a',
      'http://example.com',
      'mailto:ada@example.com',
      'https://a.test/{{ id }}',
      '{{ manageUrl }}',
    ])
      expect(VisualDocumentInput.safeParse(text(href)).success).toBe(true)
    expect(VisualDocumentInput.safeParse(doc(nested(18))).success).toBe(true)
  })

  test.each<[string, unknown]>([
    ['no document', 'x'],
    ['null', null],
    ['nothing in it', doc()],
    ['a node that is not known', doc({ type: 'script' })],
    ['a mark that is not known', doc({ type: 'paragraph', content: [{ type: 'text', text: 'x', marks: [{ type: 'style' }] }] })],
    ['a block in a line', doc({ type: 'paragraph', content: [{ type: 'button', attrs: { href: 'https://example.com', label: 'x' } }] })],
    ['a link to a script', text('javascript:alert(1)')],
    ['a link to a script in disguise', text(' java\nscript:alert(1)')],
    ['a link to data', text('data:text/html,x')],
    ['a link without a scheme', text('example.com')],
    ['a link whose scheme is a variable', text('{{ url }}')],
    ['a link whose host is a variable', text('https://{{ host }}/')],
    ['a link whose host ends in a variable', text('https://example.com{{ path }}')],
    ['a link with a filter', text('https://example.com/{{ id | raw }}')],
    ['a mail to a variable', text('mailto:{{ email }}')],
    ['an alignment that is not known', doc({ type: 'paragraph', attrs: { align: 'justify' } })],
    ['an alignment with more in it', doc({ type: 'heading', attrs: { level: 1, align: 'left;color:red' } })],
    ['a picture of data', doc({ type: 'image', attrs: { src: 'data:image/png;base64,AA' } })],
    ['a heading of level 4', doc({ type: 'heading', attrs: { level: 4 } })],
    ['a variable with Liquid in its name', doc({ type: 'paragraph', content: [{ type: 'variable', attrs: { path: 'a }}{{ b' } }] })],
    ['NUL in its text', doc({ type: 'paragraph', content: [{ type: 'text', text: 'a\0' }] })],
    ['100 levels', doc(nested(100))],
    ['more than 1 MB', doc({ type: 'paragraph', content: [{ type: 'text', text: 'x'.repeat(1_100_000) }] })],
    ['200,000 nodes', { type: 'doc', content: Array.from({ length: 200_000 }, () => ({ type: 'horizontalRule' })) }],
  ])('is refused with a sentence: %s', (_what, given) => {
    const { success, error } = VisualDocumentInput.safeParse(given)
    expect(success).toBe(false)
    expect(error?.issues.length).toBeLessThanOrEqual(20)
    expect(error?.issues[0]?.message).toMatch(/must|expected/)
  })
})
