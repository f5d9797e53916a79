import type { CpuBudget } from '../../../kit/liquid.ts'
import { TemplateFailure } from '../../../kit/liquid.ts'
import type { World } from '../../../kit/world.ts'
import { quotedPrintable } from '../mime/mime.ts'
import { type ContactLinks, contactLinks } from '../subscription/links.ts'
import { type CompiledBody, compileHtml, compilePreviewed, compileText, compileTextOf, type Part } from './compile.ts'
import { type Content, linkSubjectOf, type Recipient } from './content.ts'
import { type LinkTracking, rewriteTarget, trackContent, trackingOf } from './links.ts'
import { renderOutputs, withValues } from './outputs.ts'
import { footerOf, isUnsubscribable, type RenderedContent, renderContent, renderPreview, renderSubject, scopeOf } from './render.ts'

/** A rendered and tracked content; bodies that were compiled are encoded in quoted-printable. */
export interface RenderedMessage extends Omit<RenderedContent, 'html' | 'text'> {
  html: string | Uint8Array[]
  text: string | Uint8Array[]
}

type Sites = Pick<World, 'vault' | 'publicUrl'>

interface Input {
  recipient: Recipient
  content: Content
  budget: CpuBudget
  /** Called when the templates are rendered. */
  onRendered?: () => void
}

/**
 * Renders a content for a recipient and tracks it: from what was compiled once for all recipients, where its templates only print
 * values, and otherwise as a whole. Both give the same octets (compiled.test.ts). Throws TemplateFailure.
 */
export function renderMessage(world: Sites, input: Input): RenderedMessage {
  const compiled = renderCompiled(world, input)
  if (compiled) return compiled
  const rendered = renderContent(world, input)
  input.onRendered?.()
  return trackContent(world, input.recipient, input.content, rendered)
}

/** Renders and tracks a content from what was compiled; null when it has to be rendered as a whole. */
export function renderCompiled(world: Sites, { recipient, content, budget, onRendered }: Input): RenderedMessage | null {
  const html = content.previewText === null ? compileHtml(content.html) : compilePreviewed(content.html)
  if (!html) return null
  const text = content.text === null ? compileTextOf(content.html) : compileText(content.text)
  if (!text) return null
  const links = contactLinks(world, linkSubjectOf(recipient))
  const scope = scopeOf(recipient, content, links)
  const subject = renderSubject(content, scope, budget)
  const preview = renderPreview(content, scope, budget)
  const values = valuesOf(() => {
    const ofHtml = renderOutputs(html.outputs.outputs, { scope, format: 'html', budget })
    const ofText = ofHtml && renderOutputs(text.outputs.outputs, { scope, format: 'text', budget })
    return ofHtml && ofText && { html: ofHtml, text: ofText }
  })
  onRendered?.()
  if (!values) return null
  const unsubscribable = content.type === 'MARKETING' || printsLink(html, values.html, links) || printsLink(text, values.text, links)
  const footer = content.type === 'MARKETING' ? footerOf(recipient, links) : { html: '', text: '' }
  const tracking = trackingOf(world, recipient, content, links)
  return {
    subject,
    html: encode(html, { values: values.html, start: preview, end: footer.html + (tracking?.pixel ?? ''), tracking }),
    text: encode(text, { values: values.text, start: '', end: footer.text, tracking: null }),
    unsubscribable,
    links,
  }
}

// A failure is reported with its place in the whole template.
function valuesOf<Values>(render: () => Values): Values | null {
  try {
    return render()
  } catch (error) {
    if (error instanceof TemplateFailure) return null
    throw error
  }
}

// Nobody can know the signed links of an email before, so that only values can print them.
function printsLink({ outputs }: CompiledBody, values: readonly string[], links: ContactLinks): boolean {
  return values.length > 0 && isUnsubscribable(withValues(outputs, values), links)
}

/** What differs per email in a compiled body. */
interface Filling {
  values: readonly string[]
  start: string
  end: string
  tracking: LinkTracking | null
}

function encode({ blocks, links }: CompiledBody, { values, start, end, tracking }: Filling): Uint8Array[] {
  const printed = (parts: readonly Part[]): string => parts.map(print).join('')
  function print(part: Part): string {
    if (typeof part === 'string') return part
    if (part.slot === 'output') return values[part.at] ?? ''
    if (part.slot === 'start') return start
    if (part.slot === 'end') return end
    const { parts, trackable } = links[part.at] ?? { parts: [], trackable: false }
    return tracking && trackable !== false ? rewriteTarget(printed(parts), tracking.linkTo) : printed(parts)
  }
  return blocks.map((block) => (block instanceof Uint8Array ? block : quotedPrintable(printed(block))))
}
