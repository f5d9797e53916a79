import { Failure } from '../../../kit/errors.ts'
import { createThreads, TaskDropped, TaskKilled } from '../../../kit/threads.ts'
import { createTurns, TurnMissed } from '../../../kit/turns.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import type { Reported } from './reports.ts'
import type { Parsed, ParsingTask, ReadMessage } from './thread.ts'

/** A message to read. */
export interface Message {
  raw: Buffer
  /** Who takes turns with others. */
  sender: string
  /** Aborted when nobody waits for it any more: one that has not begun is not read. */
  ended?: AbortSignal | undefined
}

/**
 * What a message reports (`readReports`): nothing for one that takes more than two seconds of computing time. Messages of different
 * senders take turns. Fails with SERVICE_UNAVAILABLE when the process stops, or nobody waits any more, before it is read.
 */
export async function parseReports(world: World, { raw, ...from }: Message): Promise<Reported[]> {
  const parsed = await parse(world, from, { wanted: 'reports', raw })
  return parsed?.wanted === 'reports' ? parsed.reports : []
}

/** The beginning of the text of a message, without its attachments: empty for one that cannot be read, with the same limit and failure. */
export async function parseText(world: World, { raw, ...from }: Message): Promise<string> {
  const parsed = await parse(world, from, { wanted: 'text', raw })
  return parsed?.wanted === 'text' ? parsed.text : ''
}

/** One of our own messages as a mail program reads it; null for one that takes more than two seconds of computing time. */
export async function parseMessage(world: World, { raw, ...from }: Message): Promise<ReadMessage | null> {
  const parsed = await parse(world, from, { wanted: 'message', raw })
  return parsed?.wanted === 'message' ? parsed.message : null
}

async function parse(world: World, { sender, ended }: Omit<Message, 'raw'>, task: ParsingTask): Promise<Parsed | null> {
  const { threads, turns } = parsersOf(world)
  try {
    return await turns.run(sender, () => threads.run(() => task, { urgent: false, isHeavy: () => true }), { ended })
  } catch (error) {
    if (error instanceof TaskKilled) {
      world.log.warn({ bytes: task.raw.length, exceeded: error.exceeded }, 'emails: a message took too long to read')
      return null
    }
    if (error instanceof TurnMissed) throw new Failure('SERVICE_UNAVAILABLE', 'The session of the message has ended.')
    if (error instanceof TaskDropped)
      throw new Failure('SERVICE_UNAVAILABLE', 'The server is shutting down.', { headers: { 'Retry-After': '1' } })
    throw error
  }
}

// Anyone may send a message that takes long to read, by the number of its parts or lines: threads of their own read them.
const parsersOf = perWorld((world) => {
  const threads = createThreads<ParsingTask, Parsed>({
    file: new URL('./thread.ts', import.meta.url),
    name: 'parseMessages',
    data: {},
    foreground: false,
    sectionMs: maxParsingMs,
    taskMs: maxParsingMs,
    memoryMb: threadMemoryMb,
    closing: world.closing,
  })
  world.atClose(() => threads.close())
  return { threads, turns: createTurns({ max: 2, maxPerOwner: 1 }) }
})

// The start of a thread counts as well.
const maxParsingMs = 2_000
const threadMemoryMb = 256
