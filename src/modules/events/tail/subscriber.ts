import { Failure } from '../../../kit/errors.ts'
import type { Pace, Passing } from './pace.ts'
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

/** Maximum number of lines that a subscriber leaves unread. */
export const maxUnread = 1_000
/** And how long the data of those lines is at most: 8 MB. */
export const maxUnreadBytes = 8_388_608
// Of those that one may have which reads as fast as they are passed on.
const maxAwaiting = 5_000
// How many lines one has in its turn, which are written together.
const maxTogether = 10

/** A line as it is offered to subscribers. */
export interface Offered {
  line: StreamedLine
  position: Position
  /** How long its data is, about. */
  bytes: number
}

type Result = IteratorResult<StreamedLine, undefined>

/** What a subscriber begins with. */
interface SubscriberPlan {
  projectId: string
  /** Lines at or before it are ignored. */
  position: Position
  accepts: (line: StreamedLine) => boolean
  pace: Pace
  onEnd: () => void
}

/**
 * One subscriber of the log: lines are offered to it in order and queued until they are read, and passed on when it is its turn.
 * It is its own iterator; `return()` closes it at once, even while `next()` waits.
 */
export class Subscriber implements AsyncIterableIterator<StreamedLine, undefined>, Passing {
  readonly projectId: string
  /** The position of the last line offered; lines at or before it are ignored. */
  position: Position
  private readonly plan: Pick<SubscriberPlan, 'accepts' | 'pace' | 'onEnd'>
  private unread: Offered[] = []
  private unreadBytes = 0
  private held: Offered[] | undefined
  private heldBytes = 0
  private readUpTo: Position
  /** Up to which line its reader has come back for the next. */
  private doneUpTo: Position
  private waiting: ((result: Result | Promise<Result>) => void)[] = []
  private awaitsTurn = false
  /** How many lines it may still read in its turn. */
  private turn = 0
  /** Those that wait until nothing is unread. */
  private emptied: (() => void)[] = []
  private end: { error?: unknown } | undefined

  constructor({ projectId, position, ...plan }: SubscriberPlan) {
    this.projectId = projectId
    this.position = position
    this.readUpTo = position
    this.doneUpTo = position
    this.plan = plan
  }

  get ended(): boolean {
    return this.end !== undefined
  }

  /** Whether it reads as fast as live lines are passed on, and has some to be passed. */
  get isPassing(): boolean {
    return this.awaitsTurn && !this.held
  }

  /** How long the data is that waits to be read. */
  get unreadLength(): number {
    return this.unreadBytes
  }

  /** Queues a line unless it was offered before. A subscriber that leaves more than `maxUnread` lines, or 8 MB, unread is closed. */
  offer(offered: Offered): void {
    const { line, position, bytes } = offered
    if (this.end || compare(position, this.position) <= 0) return
    this.position = position
    if (!this.plan.accepts(line)) return
    this.unread.push(offered)
    this.unreadBytes += bytes
    this.awaitTurn()
    if (this.unread.length > (this.awaitsTurn ? maxAwaiting : maxUnread) || this.unreadBytes > maxUnreadBytes) this.interrupt()
  }

  /** Passes the next lines on, if somebody waits for them; after the last one of a stream that has ended, its end. */
  pass(): void {
    this.awaitsTurn = false
    this.turn = maxTogether
    for (const waiting of this.waiting.splice(0, this.unread.length)) waiting(this.read())
    if (this.end && this.unread.length === 0) this.endWaiting()
  }

  /** Holds live lines back while older lines are still being offered from the table. */
  holdLive(): void {
    this.held = []
    this.heldBytes = 0
  }

  /** Offers the lines that were held back; from now on live lines are offered as they come. */
  releaseLive(): void {
    const held = this.held ?? []
    this.held = undefined
    for (const offered of held) this.offer(offered)
  }

  /** Offers a line from the end of the log, or holds it back. */
  offerLive(offered: Offered): void {
    if (!this.held) this.offer(offered)
    if (!this.held || this.end || !this.plan.accepts(offered.line)) return
    this.held.push(offered)
    this.heldBytes += offered.bytes
    if (this.held.length > maxUnread || this.heldBytes > maxUnreadBytes) this.interrupt()
  }

  /** Closes the stream with an error that has the cursor to continue after. What has been read is still used by its reader. */
  interrupt(): void {
    if (this.end) return
    this.forget()
    this.held = undefined
    this.finish(new StreamInterrupted(toCursor(this.readUpTo)))
  }

  /** Resolves when every queued line has been read, or the stream has ended. */
  async drained(): Promise<void> {
    if (this.unread.length === 0 || this.end) return
    await new Promise<void>((resolve) => void this.emptied.push(resolve))
  }

  /** Ends the stream after the lines that are still unread, with the error if there is one. */
  finish(error?: unknown): void {
    if (this.end) return
    this.end = error === undefined ? {} : { error }
    this.plan.onEnd()
    this.tellEmptied()
    if (this.unread.length === 0) this.endWaiting()
  }

  async next(): Promise<Result> {
    this.doneUpTo = this.readUpTo
    if (this.end && this.unread.length === 0) return this.last()
    if (this.turn > 0 && this.unread.length > 0 && this.waiting.length === 0) return this.read()
    return new Promise((resolve) => {
      this.waiting.push(resolve)
      this.awaitTurn()
    })
  }

  async return(): Promise<Result> {
    this.forget()
    this.finish()
    this.endWaiting()
    return { done: true, value: undefined }
  }

  /** Closes the stream for a reader that cannot use the line it has read: fails with the cursor that leads to this line again. */
  async throw(): Promise<never> {
    await this.return()
    throw new StreamInterrupted(toCursor(this.doneUpTo))
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  private forget(): void {
    this.unread = []
    this.unreadBytes = 0
  }

  // The next line; there is one.
  private read(): Result {
    const { line, position, bytes } = this.unread.shift() as Offered
    this.unreadBytes -= bytes
    this.turn--
    this.readUpTo = position
    if (this.unread.length === 0) this.tellEmptied()
    return { done: false, value: line }
  }

  private tellEmptied(): void {
    for (const resolve of this.emptied.splice(0)) resolve()
  }

  private awaitTurn(): void {
    if (this.awaitsTurn || this.waiting.length === 0 || this.unread.length === 0) return
    this.awaitsTurn = true
    this.plan.pace.await(this)
  }

  private endWaiting(): void {
    for (const waiting of this.waiting.splice(0)) waiting(this.last())
  }

  // The error is thrown once; from then on the stream is at its end.
  private last(): Result | Promise<Result> {
    const error = this.end?.error
    this.end = {}
    return error === undefined ? { done: true, value: undefined } : Promise.reject(error)
  }
}
