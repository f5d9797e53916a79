import { isDeepStrictEqual } from 'node:util'
import { recent } from '../../../kit/recent.ts'
import { quotedPrintable } from '../mime/mime.ts'
import { isTrackable, maxLinks, type Range, structureOf } from './links.ts'
import { type Outputs, outputsOf } from './outputs.ts'
import { bodyStart } from './preview-text.ts'
import { bodyEnd, textTemplateOf } from './render.ts'

/** A body of which everything is made once that is the same for all recipients. */
export interface CompiledBody {
  outputs: Outputs
  /** Its links; empty for text. */
  links: CompiledLink[]
  /** Its lines in quoted-printable, as far as they are the same for all; the others in parts. */
  blocks: Block[]
}

/** The value of a link's target, as it stands in the template; `trackable` is null when that depends on outputs. */
export interface CompiledLink {
  parts: Part[]
  trackable: boolean | null
}

/** A text, or what differs per email. */
export type Part = string | { slot: 'output' | 'link' | 'start' | 'end'; at: number }
/** Whole lines: encoded, or their parts. */
export type Block = Uint8Array | Part[]

// Stands for an output while the structure of a body is looked for.
const mark = '\ue000'
const maxCompiledBytes = 32_000_000

interface Compiled<Body> {
  body: Body | null
}

const compiledHtml = recent<string, Compiled<CompiledBody>>({ max: 1_000, weight: { max: maxCompiledBytes, weigh: weightOf } })
const compiledPreviewed = recent<string, Compiled<CompiledBody>>({ max: 1_000, weight: { max: maxCompiledBytes, weigh: weightOf } })
const compiledTexts = recent<string, Compiled<CompiledBody>>({ max: 1_000, weight: { max: maxCompiledBytes, weigh: weightOf } })

// Two strings and the encoded octets.
function weightOf(_compiled: unknown, template: string): number {
  return 1_000 + 5 * template.length
}

/** Compiles an HTML template; null when a value could change more than the place where it is printed. Cached by its source. */
export function compileHtml(template: string): CompiledBody | null {
  return compiledHtml.getOrMake(template, () => ({ body: makeHtml(template, () => null) })).body
}

/** The same with a slot where the body begins, for a preview text. */
export function compilePreviewed(template: string): CompiledBody | null {
  return compiledPreviewed.getOrMake(template, () => ({ body: makeHtml(template, bodyStart) })).body
}

/** Compiles the text that is made from an HTML template; null when it can only be made from what that prints. Cached by its source. */
export function compileTextOf(template: string): CompiledBody | null {
  const text = textTemplateOf(template)
  return text === null ? null : compileText(text)
}

/** Compiles a text template; null when it is more than texts and outputs. Cached by its source. */
export function compileText(template: string): CompiledBody | null {
  return compiledTexts.getOrMake(template, () => ({ body: makeText(template) })).body
}

function makeText(template: string): CompiledBody | null {
  const outputs = splitOutputs(template)
  if (!outputs) return null
  return { outputs, links: [], blocks: blocksOf([...partsOf(outputs.texts.join(mark), 0), { slot: 'end', at: 0 }]) }
}

function makeHtml(template: string, startOf: (shape: string) => number | null): CompiledBody | null {
  const outputs = splitOutputs(template)
  if (!outputs) return null
  const shape = outputs.texts.join(mark)
  const { links, isSafe } = structureOf(shape)
  // Those fail where they are tracked.
  if (links.length > maxLinks) return null
  const start = startOf(shape)
  if (!marksIn(shape).every(isSafe) || !hasFirmEnd(shape, links) || (start ?? 0) > bodyEnd(shape)) return null
  return { outputs, ...placed(shape, links, start) }
}

// Whether footer and pixel stand at the same place in every email, where markup is seen as markup.
function hasFirmEnd(shape: string, links: readonly Range[]): boolean {
  const end = bodyEnd(shape)
  if (end === shape.length && /<\/body/i.test(shape)) return false
  if (end < shape.length && (shape.includes(mark, end) || links.some(({ to }) => to > end))) return false
  const probed = structureOf(shape.slice(0, end) + probe + shape.slice(end)).links
  const own = { from: end + probe.indexOf(probeUrl), to: end + probe.indexOf(probeUrl) + probeUrl.length }
  return isDeepStrictEqual(probed, [...links, own])
}

const probeUrl = 'https://probe.invalid'
const probe = `<hr style="a"><p><a href="${probeUrl}">a</a></p>`

function placed(shape: string, links: readonly Range[], start: number | null): Pick<CompiledBody, 'links' | 'blocks'> {
  let done = 0
  let outputsDone = 0
  function partsUntil(to: number): Part[] {
    const parts = partsOf(shape.slice(done, to), outputsDone)
    outputsDone += parts.filter((part) => typeof part !== 'string').length
    done = to
    return parts
  }
  const compiled: CompiledLink[] = []
  const parts: Part[] = []
  for (const { slot, from, to } of stopsOf(shape, links, start)) {
    parts.push(...partsUntil(from), { slot, at: slot === 'link' ? compiled.length : 0 })
    if (slot !== 'link') continue
    const target = partsUntil(to)
    compiled.push({ parts: target, trackable: target.every((part) => typeof part === 'string') ? isTrackable(target.join('')) : null })
  }
  parts.push(...partsUntil(shape.length))
  return { links: compiled, blocks: blocksOf(parts) }
}

// Where something is inserted or replaced, in order; an empty body begins before it ends.
function stopsOf(shape: string, links: readonly Range[], start: number | null): (Range & { slot: 'link' | 'start' | 'end' })[] {
  const end = bodyEnd(shape)
  return [
    ...(start === null ? [] : [{ slot: 'start' as const, from: start, to: start }]),
    ...links.map((link) => ({ slot: 'link' as const, ...link })),
    { slot: 'end' as const, from: end, to: end },
  ].sort((one, other) => one.from - other.from)
}

function splitOutputs(template: string): Outputs | null {
  return template.includes(mark) || template.includes('\0') || !template.isWellFormed() ? null : outputsOf(template)
}

function marksIn(shape: string): number[] {
  return [...shape.matchAll(/\ue000/g)].map(({ index }) => index)
}

function partsOf(shape: string, firstOutput: number): Part[] {
  const texts = shape.split(mark)
  return texts
    .flatMap((text, at): Part[] => (at === 0 ? [text] : [{ slot: 'output', at: firstOutput + at - 1 }, text]))
    .filter((part) => part !== '')
}

// How a line is encoded depends on itself only, so that lines without slots are encoded once.
function blocksOf(parts: readonly Part[]): Block[] {
  const blocks: Block[] = []
  let line: Part[] = []
  const flush = (): void => {
    if (line.length > 0) blocks.push(line.every((part) => typeof part === 'string') ? encoded(line.join('')) : line)
    line = []
  }
  for (const part of parts) {
    if (typeof part !== 'string' || !part.includes('\n')) {
      line.push(part)
      continue
    }
    const first = line.length > 0 ? part.indexOf('\n') + 1 : 0
    const last = part.lastIndexOf('\n') + 1
    if (first > 0) line.push(part.slice(0, first))
    flush()
    if (last > first) blocks.push(encoded(part.slice(first, last)))
    if (last < part.length) line.push(part.slice(last))
  }
  flush()
  return blocks
}

// A copy, because the encoder takes more memory than it fills.
function encoded(text: string): Uint8Array {
  return new Uint8Array(quotedPrintable(text))
}
