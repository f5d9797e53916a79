import { hash } from 'node:crypto'
import { recent } from '../../kit/cache.ts'
import { Failure, type FieldError } from '../../kit/errors.ts'
import { checkTemplate, type TemplateProblem } from '../../kit/liquid.ts'
import { taggedCharacters } from '../../kit/template-tags.ts'
import { createThreads, TaskDropped, TaskKilled } from '../../kit/threads.ts'
import { createTurns } from '../../kit/turns.ts'
import { perWorld, type World } from '../../kit/world.ts'

/** The templates of an email. */
interface Sources {
  subject?: string | undefined
  previewText?: string | null | undefined
  body?: string | undefined
  text?: string | undefined
}

/**
 * Requires that the Liquid of an email can be parsed. Fails with VALIDATION_ERROR, which has line and column of the problem in
 * each field. Large templates are checked in a thread, where projects take turns.
 */
export async function requireLiquid({ world, projectId }: { world: World; projectId: string }, sources: Sources): Promise<void> {
  const errors: FieldError[] = []
  for (const field of ['subject', 'previewText', 'body', 'text'] as const) {
    const source = sources[field]
    const problem = source == null ? null : await problemIn(world, projectId, source)
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
const largeFrom = 30_000

async function problemIn(world: World, projectId: string, source: string): Promise<TemplateProblem | null> {
  const tagged = taggedCharacters(source)
  if (tagged <= maxTaggedHere) return checkTemplate(source)
  const { small, large, valid } = checkersOf(world)
  const { turns, threads } = tagged < largeFrom ? small : large
  const name = hash('sha256', source)
  if (valid.get(name)) return null
  try {
    const problem = await turns.run(projectId, () => threads.run(() => source, { urgent: false, isHeavy: () => true }))
    if (!problem) valid.set(name, true)
    return problem
  } catch (error) {
    if (error instanceof TaskKilled)
      return {
        message: `to parse it takes more than ${error.exceeded === 'memory' ? `${threadMemoryMb} MB of memory` : `${maxCheckMs / 1_000} s of computing time`}`,
        line: 1,
        column: 1,
      }
    if (error instanceof TaskDropped)
      throw new Failure('SERVICE_UNAVAILABLE', 'The server is shutting down.', { headers: { 'Retry-After': '1' } })
    throw error
  }
}

// Threads of their own for templates that take about a second, so that the others do not wait for them.
const checkersOf = perWorld((world) => ({
  small: openChecker(world),
  large: openChecker(world),
  valid: recent<string, true>({ max: 10_000 }),
}))

function openChecker(world: World) {
  const threads = createThreads<string, TemplateProblem | null>({
    file: new URL('./thread.ts', import.meta.url),
    name: 'checkTemplates',
    data: {},
    foreground: false,
    sectionMs: maxCheckMs,
    taskMs: maxCheckMs,
    memoryMb: threadMemoryMb,
    closing: world.closing,
  })
  world.atClose(() => threads.close())
  // One of each project, so that the others wait for one template of it and not for all.
  return { threads, turns: createTurns({ max: 2, maxPerOwner: 1 }) }
}

const maxCheckMs = 3_000
const threadMemoryMb = 512
