import { Failure } from '../../../kit/errors.ts'
import { compare, type Position, toCursor } from './position.ts'

/** A line of the log as it is streamed. */
export interface StreamedLine {
  /** Subscribe with it to continue after this line. */
  cursor: string
  id: string
  name: string
  contactId: string | null
  contactEmail: string | null
  emailId: string | null
  data: Record<string, unknown> | null
  createdAt: Date
}

/** The error of a stream that was closed because its reader was too slow; subscribe again after `cursor`. */
export class StreamInterrupted extends Failure {
  readonly cursor: string

  constructor(cursor: string) {
    super('STREAM_INTERRUPTED')
    this.cursor = cursor
  }
}

/** Maximum number of unread lines per subscriber. */
export const maxUnread = 1_000

interface Offered {
  line: StreamedLine
  position: Position
}

type Result = IteratorResult<StreamedLine, undefined>

/**
 * One subscriber of the log: lines are offered to it in order and queued until they are read. It is its own iterator;
 * `return()` closes it at once, even while `next()` waits.
 */
export class Subscriber implements AsyncIterableIterator<StreamedLine, undefined> {
  readonly projectId: string
  /** The position of the last line offered; lines at or before it are ignored. */
  position: Position
  private readonly accepts: (line: StreamedLine) => boolean
  private readonly onEnd: () => void
  private unread: Offered[] = []
  private held: Offered[] | undefined
  private readUpTo: Position
  private waiting: ((result: Result | Promise<Result>) => void)[] = []
  private emptied: (() => void) | undefined
  private end: { error?: unknown } | undefined

  constructor(projectId: string, position: Position, accepts: (line: StreamedLine) => boolean, onEnd: () => void) {
    this.projectId = projectId
    this.position = position
    this.readUpTo = position
    this.accepts = accepts
    this.onEnd = onEnd
  }

  get ended(): boolean {
    return this.end !== undefined
  }

  /** Queues a line unless it was offered before. A subscriber with more than `maxUnread` lines is closed. */
  offer(line: StreamedLine, position: Position): void {
    if (this.end || compare(position, this.position) <= 0) return
    this.position = position
    if (!this.accepts(line)) return
    const [next] = this.waiting.splice(0, 1)
    if (!next) this.unread.push({ line, position })
    if (this.unread.length > maxUnread) this.interrupt()
    if (!next) return
    this.readUpTo = position
    next({ done: false, value: line })
  }

  /** Holds live lines back while older lines are still being offered from the table. */
  holdLive(): void {
    this.held = []
  }

  /** Offers the lines that were held back; from now on live lines are offered as they come. */
  releaseLive(): void {
    const held = this.held ?? []
    this.held = undefined
    for (const { line, position } of held) this.offer(line, position)
  }

  /** Offers a line from the end of the log, or holds it back. */
  offerLive(line: StreamedLine, position: Position): void {
    if (this.held && !this.end && this.accepts(line)) this.held.push({ line, position })
    else if (!this.held) this.offer(line, position)
    if (this.held && this.held.length > maxUnread) this.interrupt()
  }

  /** Closes the stream with an error that has the cursor to continue after. */
  private interrupt(): void {
    this.unread = []
    this.held = undefined
    this.finish(new StreamInterrupted(toCursor(this.readUpTo)))
  }

  /** Resolves when every queued line has been read, or the stream has ended. */
  async drained(): Promise<void> {
    if (this.unread.length === 0 || this.end) return
    await new Promise<void>((resolve) => {
      this.emptied = resolve
    })
  }

  /** Ends the stream after the lines that are still unread, with the error if there is one. */
  finish(error?: unknown): void {
    if (this.end) return
    this.end = error === undefined ? {} : { error }
    this.onEnd()
    this.emptied?.()
    for (const waiting of this.waiting.splice(0)) waiting(this.last())
  }

  async next(): Promise<Result> {
    const first = this.unread.shift()
    if (first) {
      this.readUpTo = first.position
      if (this.unread.length === 0) this.emptied?.()
      return { done: false, value: first.line }
    }
    if (this.end) return this.last()
    return new Promise((resolve) => this.waiting.push(resolve))
  }

  async return(): Promise<Result> {
    this.unread = []
    this.finish()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  // The error is thrown once; from then on the stream is at its end.
  private last(): Result | Promise<Result> {
    const error = this.end?.error
    this.end = {}
    return error === undefined ? { done: true, value: undefined } : Promise.reject(error)
  }
}
