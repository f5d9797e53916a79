import type { Socket } from 'node:net'
import type { Progress } from './message.ts'
import { type SmtpError, smtpError, withheld } from './transaction.ts'

/** A message that is being sent, or that follows one which is. */
export interface Underway {
  /** Resolves when another message may follow: its content was written, or it has ended. */
  written: Promise<void>
  /** Resolves when its replies have been read. */
  over: Promise<void>
  end(): void
  /** Resolves with the promise of the message before it. Fails when this one was withdrawn. */
  follow(before: Promise<void>): Promise<void>
  /** Its turn has come: what ends it when its replies do not come. */
  watch(): void
  /** Whether it was withdrawn while it followed another one. */
  hasLeft(): boolean
  abandon(): void
}

/** Where a message is sent, and how long its replies may take in all. */
interface UnderwayPlan {
  socket: Socket
  maxMs: number
  progress: Progress
  giveUp(error: Error): void
}

/** A message that begins to be sent, or to follow another one. */
export function begin({ socket, maxMs, progress, giveUp }: UnderwayPlan): Underway {
  const written = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  let following: ((error: Error) => void) | undefined
  let timer: NodeJS.Timeout | undefined
  let isAbandoned = false
  let hasLeft = false
  const stop = (error: Error): void => {
    clearTimeout(timer)
    giveUp(error)
    socket.destroy()
  }
  progress.onContentEnd = written.resolve
  progress.withdraw = () => {
    if (timer === undefined) {
      hasLeft = following !== undefined
      following?.(withdrawn())
    } else if (!progress.contentEnded) stop(withdrawn())
    return !progress.contentEnded
  }
  let watchedAt = 0
  const late = (afterMs: number): Error => {
    progress.tookTooLong = true
    return tookTooLong(afterMs)
  }
  progress.giveUp = () => {
    if (timer !== undefined && !progress.contentBegun) stop(late(performance.now() - watchedAt))
  }
  return {
    written: written.promise,
    over: over.promise,
    follow: (before) =>
      new Promise((resolve, reject) => {
        following = reject
        void before.then(() => {
          following = undefined
          resolve()
        })
      }),
    watch() {
      if (isAbandoned) throw abandoned()
      watchedAt = performance.now()
      timer = setTimeout(() => giveUp(late(maxMs)), maxMs)
    },
    hasLeft: () => hasLeft,
    end() {
      clearTimeout(timer)
      written.resolve()
      over.resolve()
    },
    abandon() {
      isAbandoned = true
      // One that follows another is given up when that one is over, of which the answer may still come.
      if (timer === undefined) return
      if (!progress.contentEnded) return stop(abandoned())
      clearTimeout(timer)
      timer = setTimeout(() => giveUp(abandoned()), lastAnswerMs)
    },
  }
}

function withdrawn(): SmtpError {
  return smtpError('The message has left its place to others', withheld, 'API')
}

// Long enough for the answer of a server that works: its message is then known to be sent.
const lastAnswerMs = 3_000

/** The failure of a session whose answers took too long. */
export function tookTooLong(maxMs: number): Error {
  return new Error(`The mail server did not finish its answers within ${Math.round(maxMs / 100) / 10} s`)
}

/** The failure of what was given up because this process is ending. */
export function abandoned(): SmtpError {
  return smtpError('This process was ending', withheld, 'API')
}
