import { convert, type DomNode, type FormatCallback } from 'html-to-text'
import { elementsIn } from '../../../kit/html/elements.ts'
import { maxPrintedCharacters, TemplateFailure } from '../../../kit/liquid.ts'

// The converter takes up to 4 µs for each, and the square of their number where they are within each other: half a second for so many.
const maxElements = 50_000

/**
 * The text version of an HTML body, for readers that show no HTML: links with their address, no pictures. Deeply nested quotes
 * and lists are indented five times at most. Throws TemplateFailure where it becomes too long or cannot be made, and for a body of
 * more than 50,000 elements.
 */
export function toPlainText(html: string): string {
  if (elementsIn(html, maxElements) > maxElements)
    throw new TemplateFailure(
      `The body has more than ${maxElements.toLocaleString('en')} HTML elements, of which no text version is made. Shorten it, or send a text of your own.`,
    )
  const text = converted(html)
  if (text.length > maxPrintedCharacters)
    throw new TemplateFailure(`The text version of the body is longer than ${maxPrintedCharacters} characters. Send a text of your own.`)
  return text
}

function converted(html: string): string {
  try {
    return convert(html, options)
  } catch (error) {
    // It would fail again in every attempt.
    throw new TemplateFailure(`No text version could be made from the body (${String(error)}). Send a text of your own.`)
  }
}

const heading = { options: { uppercase: false } }

const options = {
  wordwrap: false as const,
  // What is rendered is limited already; the converter would cut the rest off without a word.
  limits: { maxInputLength: Number.POSITIVE_INFINITY, maxDepth: 200 },
  formatters: { quote: indented('blockquote'), list: indented('unorderedList'), numbers: indented('orderedList') },
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, ...heading })),
    { selector: 'table', options: { uppercaseHeaderCells: false } },
    { selector: 'blockquote', format: 'quote' },
    { selector: 'ul', format: 'list' },
    { selector: 'ol', format: 'numbers' },
  ],
}

const maxIndents = 5
const indenting = new Set(['blockquote', 'ul', 'ol'])

// Each level of indentation repeats the lines of those inside: 190 quotes within each other made 8 MB of text from 105 KB.
function indented(format: string): FormatCallback {
  return (element, walk, builder, formatOptions) => {
    const formatter = formattersOf(builder)[indentsOf(element) < maxIndents ? format : 'block']
    formatter?.(withShortNumbers(element), walk, builder, formatOptions)
  }
}

function indentsOf({ parent }: DomNode): number {
  let indents = 0
  for (let at = parent; at && indents < maxIndents; at = at.parent) if (indenting.has(at.name ?? '')) indents++
  return indents
}

// The converter fails on Roman numbers from 4,000, and would write large ones with millions of letters.
function withShortNumbers(element: DomNode): DomNode {
  if (element.name !== 'ol' || !element.attribs) return element
  const start = Number(element.attribs.start ?? 1)
  if (!Number.isInteger(start) || Math.abs(start) > 999_999) delete element.attribs.start
  else if (start < 1 || start + element.children.length > 3_999) delete element.attribs.type
  return element
}

// Its types leave out the options of a builder, which hold the converter's own formatters.
function formattersOf(builder: Parameters<FormatCallback>[2]): Record<string, FormatCallback | undefined> {
  return (builder as unknown as { options: { formatters: Record<string, FormatCallback | undefined> } }).options.formatters
}
