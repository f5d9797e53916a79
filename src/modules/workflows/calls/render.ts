import { type CpuBudget, renderTemplate, TemplateFailure, type TemplateFormat } from '../../../kit/liquid.ts'
import type { OutboundRequest } from '../../../kit/outbound.ts'

/** A request before its variables have values. Names of headers are in lower case. */
export interface RequestDraft {
  url: string
  method: string
  headers: Record<string, string>
  body: BodyDraft
}

/** A body: none, one that is ready, any JSON with Liquid in its texts, or one text, whose values are encoded as those of a form or not. */
export type BodyDraft =
  | { kind: 'none' }
  | { kind: 'ready'; text: string }
  | { kind: 'json'; value: unknown }
  | { kind: 'text'; source: string; format: TemplateFormat }

const maxUrlLength = 8_192
// Servers take 8 to 16 KB in all.
const maxHeaderBytes = 12_000
/** How long a body may be, in characters. */
export const maxBodyLength = 3_000_000

/** Whether rendering a draft runs Liquid. */
export function hasLiquid({ url, headers, body }: RequestDraft): boolean {
  const inBody = body.kind === 'json' ? JSON.stringify(body.value) : body.kind === 'text' ? body.source : ''
  return [url, ...Object.values(headers), inBody].some((text) => text.includes('{{') || text.includes('{%'))
}

/**
 * A request with its variables printed, of which none gets out of its place: in the URL they are percent-encoded, in headers they stay on
 * their line, in JSON they stay within their text. Throws TemplateFailure, also for what is too long.
 */
export function renderRequest(
  { url, method, headers, body }: RequestDraft,
  scope: Record<string, unknown>,
  budget: CpuBudget,
): OutboundRequest {
  const render: Render = (source, format) => clean(renderTemplate(source, scope, format, budget))
  const request = {
    url: renderUrl(url, render),
    method,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, oneLine(render(value, 'text'))])),
    body: renderBody(body, render),
  }
  const inHeaders = Object.entries(request.headers).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value),
    0,
  )
  if (inHeaders > maxHeaderBytes) throw new TemplateFailure(`The headers have more than ${maxHeaderBytes} bytes.`)
  return request
}

type Render = (source: string, format: TemplateFormat) => string

const leading = /^\{\{.*?\}\}/s

// What begins a URL says where it leads, and may be all of it.
function renderUrl(source: string, render: Render): string {
  const [first = ''] = leading.exec(source) ?? []
  const url = (render(first, 'text') + render(source.slice(first.length), 'url')).trim()
  if (url.length > maxUrlLength) throw new TemplateFailure(`The URL is longer than ${maxUrlLength} characters.`)
  return url
}

function renderBody(body: BodyDraft, render: Render): string | null {
  if (body.kind === 'none') return null
  const left = { length: maxBodyLength }
  const bounded: Render = (source, format) => {
    const text = render(source, format)
    left.length -= text.length
    if (left.length < 0) throw tooLong()
    return text
  }
  const text =
    body.kind === 'ready'
      ? body.text
      : body.kind === 'text'
        ? bounded(body.source, body.format)
        : JSON.stringify(renderTexts(body.value, (source) => bounded(source, 'text')))
  if (text.length > maxBodyLength) throw tooLong()
  return text
}

function tooLong(): TemplateFailure {
  return new TemplateFailure(`The body is longer than ${maxBodyLength} characters.`)
}

// Names stay as they are.
function renderTexts(value: unknown, render: (source: string) => string): unknown {
  if (typeof value === 'string') return render(value)
  if (Array.isArray(value)) return value.map((one) => renderTexts(one, render))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, renderTexts(inner, render)]))
}

// A filter can cut an emoji in half or decode a NUL; neither can be stored in Postgres.
function clean(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

// A line break would begin another header, or the body (RFC 9110, 5.5).
function oneLine(text: string): string {
  return text.replace(/[^\P{Cc}\t]+/gu, ' ').trim()
}
