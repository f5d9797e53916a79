import { createThreadLanes } from '../../../kit/thread-lanes.ts'
import { TaskKilled } from '../../../kit/threads.ts'
import type { Owners } from '../../../kit/turns.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { type Beginning, beginningOf, withoutFields } from './limits.ts'
import type { Reported } from './reports.ts'
import type { MessageFile, Parsed, ParsingTask, ReadMessage } from './thread.ts'

/** A message to read. */
export interface Message {
  raw: Buffer
  /** Who takes turns with others. */
  sender: Owners
  /** Aborted when nobody waits for it any more: one that has not begun is not read. */
  ended?: AbortSignal | undefined
}

/** How many bytes of a message that somebody sent are read: its beginning. */
export const maxReadBytes = 262_144

/**
 * What the beginning of a message reports (`readReports`): of its first 256 KB. Nothing where that takes more than two seconds of
 * computing time. Messages of different senders take turns. Fails with SERVICE_UNAVAILABLE when the process stops, or nobody waits any
 * more, before it is read.
 */
export async function parseReports(world: World, { raw, ...from }: Message): Promise<Reported[]> {
  const parsed = await parse(world, from, { wanted: 'reports', raw: raw.subarray(0, maxReadBytes) })
  return parsed?.wanted === 'reports' ? parsed.reports : []
}

/**
 * The beginning of the text of a message, without its attachments, from its first 256 KB and 5,000 lines: empty for one that cannot be
 * read, with the same limits and failure.
 */
export async function parseText(world: World, { raw, ...from }: Message): Promise<string> {
  const parsed = await parse(world, from, { wanted: 'text', raw: withoutFields(beginningOf(raw, readOfReceived)) })
  return parsed?.wanted === 'text' ? parsed.text : ''
}

/** One of our own messages as a mail program reads it; null for one that takes more than two seconds of computing time. */
export async function parseMessage(world: World, { raw, ...from }: Message): Promise<ReadMessage | null> {
  const parsed = await parse(world, from, { wanted: 'message', raw })
  return parsed?.wanted === 'message' ? parsed.message : null
}

/** A file of one of our own messages by its position from 0; null when there is none, or it takes more than two seconds of computing time. */
export async function parseFile(world: World, { raw, ...from }: Message, position: number): Promise<MessageFile | null> {
  const parsed = await parse(world, from, { wanted: 'file', raw, position })
  return parsed?.wanted === 'file' ? parsed.file : null
}

async function parse(world: World, { sender, ended }: Omit<Message, 'raw'>, task: ParsingTask): Promise<Parsed | null> {
  try {
    return await parsersOf(world)[task.wanted].run(sender, () => task, ended)
  } catch (error) {
    if (!(error instanceof TaskKilled)) throw error
    world.log.warn({ bytes: task.raw.length, exceeded: error.exceeded }, 'emails: a message took too long to read')
    return null
  }
}

// Anyone may send a message that takes long to read, by the number of its parts or lines: threads of their own read them, so that
// neither reports nor people wait for the emails that come in.
const parsersOf = perWorld((world) => {
  const own = openParsers(world)
  return { reports: openParsers(world), text: openParsers(world), message: own, file: own }
})

const openParsers = (world: World) =>
  createThreadLanes<ParsingTask, Parsed>(world, {
    file: new URL('./thread.ts', import.meta.url),
    name: 'parseMessages',
    data: {},
    sectionMs: maxParsingMs,
    taskMs: maxParsingMs,
    quickMs,
    memoryMb: threadMemoryMb,
    isLong: ({ raw }) => raw.length > maxQuickBytes,
    busy: 'Nobody waits for this message to be read any more.',
    maxWaitMs: null,
  })

// A parser takes a piece of memory for each line, part or unit of base64, beside the heap of its thread: what many of them leave
// behind, freed in small pieces, the process cannot give back. As many bytes have 3,500 lines of the length that mail programs write. Of
// the text of an email that comes in 32,000 characters are stored; what a report says stands before the message that it returns (RFC
// 6522, 3; RFC 5965, 2).
const readOfReceived: Beginning = { bytes: maxReadBytes, lines: 5_000, equals: 20_000 }
const maxParsingMs = 2_000
const quickMs = 200
// Without attachments, a message has less.
const maxQuickBytes = 500_000
const threadMemoryMb = 256
