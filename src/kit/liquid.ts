import {
  CaptureTag,
  Context,
  Drop,
  defaultOperators,
  type Emitter,
  filters,
  Liquid,
  Parser,
  type Template,
  Tokenizer,
  type TopLevelToken,
  toValueSync,
} from 'liquidjs'
import { escapeHtml } from './html/escape.ts'
import { type Recent, recent } from './recent.ts'
import { problemOf, type TemplateProblem, wrongZoneIn } from './template-problems.ts'
import { liquidLines, tagBeyond, taggedCharacters } from './template-tags.ts'

/**
 * The output format of a template: in HTML every value is escaped, in a URL (and what is written as one) every value is
 * percent-encoded, in text (also subjects) none is changed.
 */
export type TemplateFormat = 'html' | 'text' | 'url'

/** A template that could not be rendered; the message is a sentence for the sender. */
export class TemplateFailure extends Error {}

const parseLimit = 2_000_000
const defaultBudgetMs = 500
const stepsBetween = 200
const memoryLimit = 10_000_000
/** How many characters a template prints at most, or twice its own length if that is more. */
export const maxPrintedCharacters = 5_000_000
const maxParsedBytes = 32_000_000
// Each takes up to 2 KB once parsed.
const maxTags = 20_000
// Parsed, they take up to 28 MB, which the cache can hold, and parsing them takes less than a second.
const maxTagged = 200_000
// Statements of one `liquid` tag are parsed in a time that grows with their square.
const maxLiquidLines = 2_000
const fileTags = ['include', 'render', 'layout', 'block']

/**
 * What is wrong with a template: a syntax error, a time zone that does not exist, or more than 20,000 tags or 200,000 characters in them;
 * null when it can be used.
 */
export function checkTemplate(source: string): TemplateProblem | null {
  if (!isTemplate(source)) return null
  const excess = tagBeyond(source, maxTags)
  if (excess) return { message: `it has more than ${maxTags} tags and outputs`, ...excess }
  if (taggedCharacters(source) > maxTagged)
    return { message: `its tags and outputs have more than ${maxTagged} characters in all`, line: 1, column: 1 }
  if (liquidLines(source) > maxLiquidLines) return { message: `its liquid tags have more than ${maxLiquidLines} lines`, line: 1, column: 1 }
  try {
    const { templates } = parsed(source, 'text')
    // The parts are cached, and to look at them all takes longer than to look for a word.
    return source.includes('date') ? wrongZoneIn(templates) : null
  } catch (error) {
    return problemOf(error)
  }
}

/**
 * Renders a Liquid template. Missing values print nothing, arrays print comma-separated, objects print as JSON. Templates
 * reach own properties only and no files. Throws TemplateFailure beyond the budget (default: 500 ms of CPU time; parsing is
 * not counted), 5 million characters of output (or twice its own length) or 10 million of intermediate values.
 */
export function renderTemplate(
  source: string,
  scope: Record<string, unknown>,
  format: TemplateFormat,
  budget: CpuBudget = new CpuBudget(defaultBudgetMs),
): string {
  if (!isTemplate(source)) return source
  try {
    const { engine, templates } = parsed(source, format)
    return budget.spend(() => {
      const emitter = new LimitedEmitter(Math.max(maxPrintedCharacters, 2 * source.length))
      // Replaces the limiter of liquidjs, which measures elapsed time: on a busy machine that would fail harmless templates.
      const limits = { liquid: engine, renderLimit: budget as unknown as Limiter }
      toValueSync(engine.renderer.renderTemplates(templates, new Context(scope, engine.options, { sync: true }, limits), emitter))
      return emitter.buffer
    })
  } catch (error) {
    const { message, line, column } = problemOf(error)
    throw new TemplateFailure(`The template could not be rendered: ${message} (line ${line}, column ${column}).`, { cause: error })
  }
}

/** The parsed parts of a template as it is rendered to text, cached by its source; none where it is only text. Throws where it cannot be parsed. */
export function partsOfTemplate(source: string): Template[] {
  return isTemplate(source) ? parsed(source, 'text').templates : []
}

function isTemplate(source: string): boolean {
  return source.includes('{{') || source.includes('{%')
}

type Limiter = Context['renderLimit']

/**
 * CPU time of this thread that rendering may take, over several templates. `onSection` is called when rendering begins and when
 * it ends, so that another thread can end one that does not come back to be checked.
 */
export class CpuBudget {
  readonly ms: number
  private readonly onSection: (() => void) | undefined
  private spentMicros = 0
  private start: NodeJS.CpuUsage | undefined
  private steps = 0

  constructor(ms: number, onSection?: () => void) {
    this.ms = ms
    this.onSection = onSection
  }

  /**
   * Runs a part of the work, whose time counts from the first step at which `check` looks at the clock. Throws what the work
   * throws; this alone stops nothing.
   */
  spend<T>(work: () => T): T {
    this.onSection?.()
    try {
      return work()
    } finally {
      this.onSection?.()
      if (this.start) this.spentMicros += microsSince(this.start)
      this.start = undefined
    }
  }

  /** Called by liquidjs at every step; looks at the clock at every 200th, and throws beyond the budget. */
  check(): void {
    if (++this.steps % stepsBetween !== 0) return
    // Short templates, which are nearly all, never get here.
    this.start ??= process.threadCpuUsage()
    if (this.spentMicros + microsSince(this.start) > this.ms * 1_000) throw new Error(overBudget(this.ms))
  }
}

/** Why a template failed that took longer than its budget. */
export function overBudget(ms: number): string {
  return `it takes more than ${ms} ms of computing time`
}

function microsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(start)
  return user + system
}

class LimitedEmitter implements Emitter {
  buffer = ''
  private readonly max: number

  constructor(max: number) {
    this.max = max
  }

  write(piece: unknown): void {
    this.buffer += typeof piece === 'string' ? piece : print(piece)
    if (this.buffer.length > this.max) throw new Error(`it prints more than ${this.max} characters`)
  }
}

// What a template has captured: it is already escaped, so that printing it must not escape it again.
class Captured extends Drop {
  readonly markup: string

  constructor(markup: string) {
    super()
    this.markup = markup
  }

  override valueOf(): string {
    return this.markup
  }
}

function print(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (value instanceof Drop) return print(value.valueOf())
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(print).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function escaped(value: unknown): string {
  return value instanceof Captured ? value.markup : escapeHtml(print(value))
}

function encoded(value: unknown): string {
  return value instanceof Captured ? value.markup : encodeURIComponent(print(value).toWellFormed())
}

const escapes = { html: escaped, text: print, url: encoded }

function createEngine(format: TemplateFormat): Liquid {
  const engine = new Liquid({
    operators: { ...defaultOperators, '??': (left: unknown, right: unknown) => (left ?? right) as boolean },
    ownPropertyOnly: true,
    strictFilters: true,
    jsTruthy: true,
    timezoneOffset: 0,
    outputEscape: escapes[format],
    parseLimit,
    memoryLimit,
    templates: {},
  })
  for (const tag of fileTags) delete engine.tags[tag]
  engine.registerFilter('raw', { raw: true, handler: print })
  if (format === 'text') return engine
  engine.registerTag('capture', MarkupCapture)
  // The output of these filters is already escaped.
  if (format === 'url') {
    for (const name of ['url_encode', 'cgi_escape', 'uri_escape'] as const)
      engine.registerFilter(name, { raw: true, handler: filters[name] as (value: unknown) => unknown })
    return engine
  }
  for (const name of ['escape', 'xml_escape']) engine.registerFilter(name, { raw: true, handler: escaped })
  engine.registerFilter('escape_once', { raw: true, handler: filters.escape_once as (value: unknown) => unknown })
  engine.registerFilter('newline_to_br', { raw: true, handler: (value: unknown) => escaped(value).replace(/\r?\n/g, '<br>\n') })
  return engine
}

class MarkupCapture extends CaptureTag {
  override *render(ctx: Context): Generator<unknown, void, string> {
    const markup = yield this.liquid.renderer.renderTemplates(this.templates, ctx)
    ctx.memoryLimit.use(markup.length)
    Object.assign(ctx.bottom(), { [this.variable]: new Captured(markup) })
  }
}

interface Parsed {
  engine: Liquid
  templates: Template[]
}

const engines: Record<TemplateFormat, Liquid> = { html: createEngine('html'), text: createEngine('text'), url: createEngine('url') }

// Parsed templates by source: a template for many recipients is parsed once.
const cache: Record<TemplateFormat, Recent<string, Parsed>> = { html: parsedTemplates(), text: parsedTemplates(), url: parsedTemplates() }

function parsedTemplates(): Recent<string, Parsed> {
  return recent({ max: 2_000, weight: { max: maxParsedBytes, weigh: (_parsed, source) => bytesOf(source) } })
}

function parsed(source: string, format: TemplateFormat): Parsed {
  const engine = engines[format]
  return cache[format].getOrMake(source, () => ({ engine, templates: parseIn(engine, source) }))
}

// As engine.parse does, which takes the tokens from the front of an array: beyond some thousands every one moves all others.
function parseIn(engine: Liquid, source: string): Template[] {
  if (source.length > parseLimit) return engine.parse(source)
  const tokens = new Tokenizer(source, engine.options.operators, undefined, undefined, engine.options.groupedExpressions)
  return new Parser(engine).parseTokens(TokenQueue.from(tokens.readTopLevelTokens(engine.options).reverse()) as TopLevelToken[])
}

// Holds the tokens in reverse, so that its length says how many are left: tags look for their end until there is none.
class TokenQueue<Token> extends Array<Token> {
  override shift(): Token | undefined {
    return this.pop()
  }
}

// Measured: once parsed, text between delimiters takes up to 140 bytes per character, other text about 4.
function bytesOf(source: string): number {
  return 500 + source.length * 4 + taggedCharacters(source) * 140
}
