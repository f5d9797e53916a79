import { z } from 'zod'
import { isWithin } from '../../../kit/json-limits.ts'
import { Text } from '../../../kit/shapes.ts'

/** A part of the text of a visual template that looks otherwise, or leads somewhere. */
export type Mark = { type: 'bold' | 'italic' | 'underline' | 'strike' | 'code' } | { type: 'link'; attrs: { href: string } }

/** What stands in a line. */
export type Inline =
  | { type: 'text'; text: string; marks?: Mark[] | undefined }
  | { type: 'hardBreak'; marks?: Mark[] | undefined }
  | { type: 'variable'; attrs: { path: string; fallback?: string | null | undefined }; marks?: Mark[] | undefined }

interface Item {
  type: 'listItem'
  content: Block[]
}

/** What stands on lines of its own. */
export type Block =
  | { type: 'paragraph'; content?: Inline[] | undefined }
  | { type: 'heading'; attrs: { level: 1 | 2 | 3 }; content?: Inline[] | undefined }
  | { type: 'bulletList'; content: Item[] }
  | { type: 'orderedList'; attrs?: { start?: number | null | undefined } | undefined; content: Item[] }
  | { type: 'blockquote'; content: Block[] }
  | { type: 'horizontalRule' }
  | { type: 'image'; attrs: { src: string; alt?: string | null | undefined } }
  | { type: 'button'; attrs: { href: string; label: string } }

/** What a visual template says, as TipTap has it. */
export interface VisualDocument {
  type: 'doc'
  content: Block[]
}

/** What a document may have: characters of JSON, values in it, and levels of nodes. */
export const documentLimits = { characters: 1024 * 1024, values: 100_000, levels: 20 }

const maxUrl = 2_000

function isLink(text: string): boolean {
  // Browsers drop what stands around an address and control characters in it.
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return false
  const { protocol, host } = new URL(text)
  return protocol === 'mailto:' || ((protocol === 'http:' || protocol === 'https:') && host !== '')
}

const Href = Text.max(maxUrl).refine(isLink, { error: 'must be an address that begins with https://, http:// or mailto:' })
const Source = Text.max(maxUrl).refine((text) => isLink(text) && /^https?:/i.test(text), {
  error: 'must be the https address of a picture, or that of an uploaded one',
})

const Mark = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.enum(['bold', 'italic', 'underline', 'strike', 'code']) }),
    z.object({ type: z.literal('link'), attrs: z.object({ href: Href }) }),
  ],
  { error: 'must be a mark of one of the types bold, italic, underline, strike, code and link' },
) as z.ZodType<Mark>

const marks = z.array(Mark).max(10).optional()

// What Liquid takes for the name of a variable, with the fields of what it holds.
const variablePath = /^[\p{L}_][\p{L}\p{N}_-]*(\.[\p{L}\p{N}_][\p{L}\p{N}_-]*)*$/u

const Inline = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('text'), text: Text.min(1), marks }),
    z.object({ type: z.literal('hardBreak'), marks }),
    z.object({
      type: z.literal('variable'),
      attrs: z.object({
        path: Text.max(255).regex(variablePath, { error: 'must be the name of a variable, such as name or profile.tier' }),
        fallback: Text.max(500).nullish(),
      }),
      marks,
    }),
  ],
  { error: 'must be a node of one of the types text, hardBreak and variable' },
) as z.ZodType<Inline>

const inlines = z.array(Inline).optional()
const blocks = z.array(z.lazy((): z.ZodType<Block> => Block)).min(1)
const items = z.array(z.object({ type: z.literal('listItem', { error: 'must be listItem' }), content: blocks })).min(1)
const Level = z.union([z.literal(1), z.literal(2), z.literal(3)], { error: 'must be 1, 2 or 3' })

const Block: z.ZodType<Block> = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('paragraph'), content: inlines }),
    z.object({ type: z.literal('heading'), attrs: z.object({ level: Level }), content: inlines }),
    z.object({ type: z.literal('bulletList'), content: items }),
    z.object({
      type: z.literal('orderedList'),
      attrs: z.object({ start: z.int().min(0).max(1_000_000).nullish() }).optional(),
      content: items,
    }),
    z.object({ type: z.literal('blockquote'), content: blocks }),
    z.object({ type: z.literal('horizontalRule') }),
    z.object({ type: z.literal('image'), attrs: z.object({ src: Source, alt: Text.max(500).nullish() }) }),
    z.object({ type: z.literal('button'), attrs: z.object({ href: Href, label: Text.min(1).max(200) }) }),
  ],
  {
    error: 'must be a node of one of the types paragraph, heading, bulletList, orderedList, blockquote, horizontalRule, image and button',
  },
)

const Document = z.object({ type: z.literal('doc', { error: 'must be doc' }), content: blocks })

/**
 * The document of a visual template, of allowed nodes only: attributes that are not known are dropped. Its size and depth are looked at
 * before its nodes.
 */
export const VisualDocumentInput = z.unknown().transform((value, ctx): VisualDocument => {
  const problem = whyTooLarge(value)
  if (problem) {
    ctx.addIssue({ code: 'custom', message: problem, params: { code: 'too_big' } })
    return z.NEVER
  }
  const { data, error } = Document.safeParse(value)
  if (data) return data as VisualDocument
  // The first ones: a hostile document may have thousands.
  for (const issue of error.issues.slice(0, 20))
    ctx.addIssue({ code: 'custom', path: issue.path, message: issue.message, params: { code: 'invalid_document' } })
  return z.NEVER
})

/** What the API says of the document of a visual template or campaign. */
export function documentText(what: 'template' | 'campaign'): string {
  return `The document of a visual ${what}, as TipTap has it, which its HTML is made of: at most 1 MB of JSON, 20 levels deep. Nodes: doc, paragraph, heading (level 1 to 3), text with the marks bold, italic, underline, strike, code and link, bulletList, orderedList, listItem, blockquote, horizontalRule, hardBreak, image (src, alt), button (href, label) and variable (path, fallback).`
}

/** What a change may say about what something is written in. */
interface Written {
  body?: string | undefined
  document?: VisualDocument | undefined
  mode?: 'HTML' | 'VISUAL' | undefined
}

/** Whether a change says in one way only what is written: a document stands alone. */
export function isWrittenOnce({ body, document, mode }: Written): boolean {
  return document === undefined || (body === undefined && mode !== 'HTML')
}

/** What is said of a change that says it twice. */
export const writtenTwice = {
  path: ['document'],
  error: 'cannot be given together with `body` or the mode HTML',
  params: { code: 'not_allowed' },
}

function whyTooLarge(value: unknown): string | undefined {
  if (!isWithin(value, documentLimits)) return 'must have at most 1 MB of JSON and 100,000 values'
  // Of a node, `content` is the only part with nodes in it; each level has an array and an object.
  return depthOf(value) > 2 * documentLimits.levels + 4 ? `must not be nested deeper than ${documentLimits.levels} levels` : undefined
}

// Level by level, so that no depth can exhaust the stack.
function depthOf(value: unknown): number {
  let depth = 0
  for (let level = [value]; level.length > 0; depth++)
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  return depth
}
