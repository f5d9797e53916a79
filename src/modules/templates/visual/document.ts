import type { Ctx } from '../../../kit/context.ts'
import { Failure, invalid } from '../../../kit/errors.ts'
import { parseUrl } from '../../../kit/urls.ts'
import { urlOf } from '../../uploads/uploads.ts'
import { type ContentMode, maxTemplateBytes } from '../shapes.ts'
import { htmlOfDocument } from './html.ts'
import type { Block, VisualDocument } from './shapes.ts'

/**
 * The HTML that a visual template has as its body. Fails with VALIDATION_ERROR for a picture that is neither at an https address nor one
 * of the project, and for HTML of more than 5 MB.
 */
export function bodyOfDocument(ctx: Pick<Ctx, 'config' | 'world' | 'projectId'>, document: VisualDocument): string {
  const uploads = new URL(urlOf(ctx, { key: `${ctx.projectId}/` })).href
  for (const source of picturesOf(document.content))
    if (!/^https:/i.test(source) && !isUploaded(source, uploads))
      throw invalid('document', `A picture must be at an https address, or uploaded to the project: ${source.slice(0, 200)} is neither.`)
  const html = htmlOfDocument(document)
  if (Buffer.byteLength(html) > maxTemplateBytes) throw invalid('document', 'Its HTML would be larger than 5 MB.', 'too_big')
  return html
}

interface Named {
  /** What it is, such as template. */
  what: string
  suggestion: string
}

/** Fails with VALIDATION_ERROR for a change that says something of a document of what is written in HTML. */
export function requireMode(
  { mode }: { mode: ContentMode },
  change: { document?: VisualDocument | undefined; mode?: ContentMode | undefined },
  { what, suggestion }: Named,
): void {
  if (mode === 'VISUAL' || (!change.document && change.mode !== 'VISUAL')) return
  throw new Failure('VALIDATION_ERROR', `This ${what} is written in HTML, which cannot become a visual document.`, {
    errors: [{ field: change.document ? 'document' : 'mode', message: `is refused for an HTML ${what}`, code: 'not_allowed' }],
    suggestion,
  })
}

// As whoever fetches it reads the address, in which dots may lead to another folder; encoded ones do for some.
function isUploaded(source: string, uploads: string): boolean {
  const address = parseUrl(source)?.href ?? ''
  return address.startsWith(uploads) && /^[\w-]+(\.[\w-]+)*$/.test(address.slice(uploads.length))
}

// Their depth is bounded by the shape of documents.
function picturesOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => {
    if (block.type === 'image') return [block.attrs.src]
    if (block.type === 'blockquote') return picturesOf(block.content)
    if (block.type === 'bulletList' || block.type === 'orderedList') return block.content.flatMap(({ content }) => picturesOf(content))
    return []
  })
}
