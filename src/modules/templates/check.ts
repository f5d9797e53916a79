import { hash } from 'node:crypto'
import { type Ctx, ownersOf } from '../../kit/context.ts'
import { Failure, type FieldError } from '../../kit/errors.ts'
import { checkTemplate } from '../../kit/liquid.ts'
import { recent } from '../../kit/recent.ts'
import type { TemplateProblem } from '../../kit/template-problems.ts'
import { taggedCharacters } from '../../kit/template-tags.ts'
import { createThreadLanes } from '../../kit/thread-lanes.ts'
import { TaskKilled } from '../../kit/threads.ts'
import { perWorld } from '../../kit/world.ts'

type Caller = Pick<Ctx, 'world' | 'account' | 'projectId' | 'left' | 'rightsNow'>

/** The templates of an email. */
interface Sources {
  subject?: string | undefined
  previewText?: string | null | undefined
  body?: string | undefined
  text?: string | undefined
}

/**
 * Requires that the Liquid of an email can be parsed. Fails with VALIDATION_ERROR, which has line and column of the problem in
 * each field. Large templates are checked in threads, where accounts take turns, and with SERVICE_UNAVAILABLE when their turn has not
 * come after 15 s; then with the Failure of a caller who may not call any more.
 */
export async function requireLiquid(ctx: Caller, sources: Sources): Promise<void> {
  const errors: FieldError[] = []
  for (const field of ['subject', 'previewText', 'body', 'text'] as const) {
    const source = sources[field]
    const problem = source == null ? null : await problemIn(ctx, source)
    if (problem) errors.push({ field, message: sentenceOf(problem), code: 'invalid_template' })
  }
  const [first] = errors
  if (first) throw new Failure('VALIDATION_ERROR', `"${first.field}" ${first.message}.`, { errors })
}

function sentenceOf({ message, line, column }: TemplateProblem): string {
  return `is not a valid template: ${message} (line ${line}, column ${column})`
}

// Characters in tags that are parsed in this thread, which takes up to about 15 ms.
const maxTaggedHere = 5_000
// Those that take up to 90 ms.
const maxTaggedQuick = 30_000

async function problemIn(ctx: Caller, source: string): Promise<TemplateProblem | null> {
  if (taggedCharacters(source, maxTaggedHere + 1) <= maxTaggedHere) return checkTemplate(source)
  const { lanes, valid } = checkersOf(ctx.world)
  const name = hash('sha256', source)
  if (valid.get(name)) return null
  try {
    const problem = await lanes.run(ownersOf(ctx), () => source, ctx.left?.())
    await ctx.rightsNow?.()
    if (!problem) valid.set(name, true)
    return problem
  } catch (error) {
    if (!(error instanceof TaskKilled)) throw error
    return {
      message: `to parse it takes more than ${error.exceeded === 'memory' ? `${threadMemoryMb} MB of memory` : `${maxCheckMs / 1_000} s of computing time`}`,
      line: 1,
      column: 1,
    }
  }
}

const checkersOf = perWorld((world) => ({
  lanes: createThreadLanes<string, TemplateProblem | null>(world, {
    file: new URL('./thread.ts', import.meta.url),
    name: 'checkTemplates',
    data: {},
    sectionMs: maxCheckMs,
    taskMs: maxCheckMs,
    quickMs,
    memoryMb: threadMemoryMb,
    isLong: (source) => taggedCharacters(source, maxTaggedQuick + 1) > maxTaggedQuick,
    busy: 'Other templates are being checked at the moment.',
  }),
  valid: recent<string, true>({ max: 10_000 }),
}))

const maxCheckMs = 3_000
const quickMs = 200
const threadMemoryMb = 512
