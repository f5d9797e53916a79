import { Mark, Node } from '@tiptap/core'

const placed = (attributes: Record<string, unknown>) => (attributes['data-align'] ? { 'data-align': String(attributes['data-align']) } : {})

const isLink = (href: string): boolean => /^(https?:\/\/|mailto:)/i.test(href)

/** Text that leads somewhere. It is not followed in the editor. */
export const LinkMark = Mark.create({
  name: 'link',
  priority: 1_000,
  inclusive: false,
  addAttributes: () => ({ href: { default: null } }),
  parseHTML: () => [
    {
      tag: 'a[href]',
      getAttrs: (element) => (isLink(element.getAttribute('href') ?? '') ? { href: element.getAttribute('href') } : false),
    },
  ],
  renderHTML: ({ HTMLAttributes }) => ['span', { class: 'visual-link', title: String(HTMLAttributes.href ?? '') }, 0],
})

/** What a template prints in its place: one thing that is selected, moved and removed as a whole. */
export const VariableNode = Node.create({
  name: 'variable',
  group: 'inline',
  inline: true,
  atom: true,
  selectable: true,
  addAttributes: () => ({
    path: { default: '', parseHTML: (element) => element.getAttribute('data-variable') },
    fallback: { default: null, parseHTML: (element) => element.getAttribute('data-fallback') },
  }),
  parseHTML: () => [{ tag: 'span[data-variable]' }],
  renderHTML: ({ node: { attrs } }) => [
    'span',
    { class: 'visual-variable', 'data-variable': String(attrs.path), ...(attrs.fallback && { 'data-fallback': String(attrs.fallback) }) },
    attrs.fallback ? `${attrs.path} or “${attrs.fallback}”` : String(attrs.path),
  ],
  renderText: ({ node }) => `{{ ${node.attrs.path} }}`,
})

/** A link that looks like a button. */
export const ButtonNode = Node.create({
  name: 'button',
  group: 'block',
  atom: true,
  selectable: true,
  addAttributes: () => ({
    href: { default: '', parseHTML: (element) => element.getAttribute('data-button') },
    label: { default: '', parseHTML: (element) => element.textContent },
  }),
  parseHTML: () => [{ tag: 'div[data-button]' }],
  renderHTML: ({ node: { attrs }, HTMLAttributes }) => [
    'div',
    { class: 'visual-button', 'data-button': String(attrs.href), title: String(attrs.href), ...placed(HTMLAttributes) },
    String(attrs.label),
  ],
})

/** A picture. One of another address is named only: the page loads nothing from elsewhere. */
export const ImageNode = Node.create({
  name: 'image',
  group: 'block',
  atom: true,
  selectable: true,
  addAttributes: () => ({
    src: { default: '', parseHTML: (element) => element.getAttribute('data-picture') },
    alt: { default: null, parseHTML: (element) => element.getAttribute('data-alt') },
  }),
  parseHTML: () => [{ tag: 'figure[data-picture]' }],
  renderHTML: ({ node: { attrs }, HTMLAttributes }) => {
    const src = String(attrs.src)
    const alt = String(attrs.alt ?? '')
    const own = URL.canParse(src) && new URL(src).origin === location.origin
    const shown: [string, Record<string, string>] | string = own ? ['img', { src, alt }] : `Picture${alt && `: ${alt}`} (${src})`
    return ['figure', { class: 'visual-picture', 'data-picture': src, 'data-alt': alt, ...placed(HTMLAttributes) }, shown]
  },
})
