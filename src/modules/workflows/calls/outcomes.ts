import { cutText, isLonger } from '../../../kit/cut.ts'
import { sizeOfJson } from '../../../kit/json-length.ts'
import { whyTooComplex } from '../../../kit/json-limits.ts'
import type { OutboundAnswer, OutboundRequest } from '../../../kit/outbound.ts'
import { findUnstorable } from '../../../kit/unstorable.ts'

/** How long a webhook waits before its second, third, … attempt, in ms. */
export const delaysMs = [5_000, 60_000, 5 * 60_000, 30 * 60_000, 2 * 60 * 60_000] as const
/** How often a webhook is called at most. */
export const maxAttempts = delaysMs.length + 1
/** How long a receiver can make it wait at most (Retry-After). */
export const maxRetryAfterMs = 60 * 60_000

/** What came of one attempt: an answer, or a sentence that says why there is none. */
export type Attempted = { answer: OutboundAnswer } | { error: string; mayRetry: boolean }

/** An attempt, as the output of the step shows it. */
export interface AttemptLine {
  /** Null where the process ended before it could say. */
  at: string | null
  durationMs: number | null
  statusCode: number | null
  error: string | null
}

/** Whether an attempt has to be made again: network errors, what is no answer (below 200), 429 and 5xx. */
export function isRetried(attempted: Attempted): boolean {
  if ('error' in attempted) return attempted.mayRetry
  const { status } = attempted.answer
  return status < 200 || status === 429 || status >= 500
}

/** What an attempt, the nth, counts as: the step is done, it is made again later, or the webhook is given up. */
export function resultOf(attempted: Attempted, nth: number): 'answered' | 'retried' | 'failed' {
  if (isRetried(attempted)) return nth < maxAttempts ? 'retried' : 'failed'
  return 'error' in attempted ? 'failed' : 'answered'
}

/** How long to wait after so many attempts, in ms: what a 429 or 503 asks for (Retry-After), up to an hour, is the least. */
export function delayAfter(attempts: number, attempted: Attempted, now: Date): number {
  const planned = delaysMs[Math.min(attempts, delaysMs.length) - 1] ?? delaysMs[0]
  const asked = 'answer' in attempted && [429, 503].includes(attempted.answer.status) ? retryAfterMs(attempted.answer, now) : 0
  return Math.max(planned, Math.min(asked, maxRetryAfterMs))
}

// Seconds, or a date (RFC 9110, 10.2.3).
function retryAfterMs({ headers }: OutboundAnswer, now: Date): number {
  const given = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,9}$/.test(given)) return Number(given) * 1_000
  const date = Date.parse(given)
  return Number.isNaN(date) ? 0 : date - now.getTime()
}

/** Why a webhook is given up, as a sentence. */
export function whyGivenUp(attempts: number, attempted: Attempted): string {
  const last = 'error' in attempted ? attempted.error : `The receiver answered ${attempted.answer.status}.`
  return attempts > 1 ? `${last.replace(/\.$/, '')} (tried ${attempts} times).` : last
}

/** What came of an attempt, as the output of the step shows it. */
export function lineOf(attempted: Attempted, { at, durationMs }: { at: Date; durationMs: number }): AttemptLine {
  const isAnswer = 'answer' in attempted
  return {
    at: at.toISOString(),
    durationMs,
    statusCode: isAnswer ? attempted.answer.status : null,
    error: isAnswer ? null : attempted.error,
  }
}

/** The lines of attempts that have been made before: one for each, also where a process ended before it could write its line. */
export function linesBefore(output: unknown, made: number): AttemptLine[] {
  const lines = (outputBefore(output).attempts ?? []).slice(0, made)
  const lost = { at: null, durationMs: null, statusCode: null, error: 'The process that called ended before it could record the answer.' }
  return [...lines, ...Array.from({ length: Math.max(0, made - lines.length) }, () => lost)]
}

/** What is known of a webhook that was not called this time: what came of the attempts before. */
export function outputBefore(output: unknown): { attempts?: AttemptLine[] } {
  const { attempts } = (output ?? {}) as { attempts?: AttemptLine[] }
  return attempts ? { attempts } : {}
}

// What is stored of a body, and of a header.
const maxStored = 16_384
const maxHeaderLength = 500

/** A request, as the input of the step shows it. */
export function shownRequest({ url, method, headers, body }: OutboundRequest): object {
  const octets = Buffer.from(body ?? '')
  return { url, method, headers, body: body === null ? null : shownBody(octets, headers['content-type'], true).value }
}

/** An answer, as the output of the step shows it. */
export function shownAnswer({ status, headers, body, end }: OutboundAnswer): object {
  const encoding = headers['content-encoding'] ?? 'identity'
  const shown = encoding === 'identity' ? shownBody(body, headers['content-type'], end === 'complete') : { value: null, whole: false }
  return {
    statusCode: status,
    success: status >= 200 && status <= 299,
    response: shown.value,
    truncated: !shown.whole || end !== 'complete',
    headers: shownHeaders(headers),
  }
}

function shownBody(octets: Buffer, type: string | undefined, complete: boolean): { value: unknown; whole: boolean } {
  if (octets.length === 0) return { value: null, whole: true }
  const value = complete && /json/i.test(type ?? '') && octets.length <= maxStored ? jsonIn(octets) : undefined
  if (value !== undefined && sizeOfJson(value) <= maxStored) return { value, whole: true }
  const text = octets.toString().replaceAll('\0', '')
  return { value: cutText(text, maxStored), whole: !isLonger(text, maxStored) }
}

// Undefined where it is none, or none that Postgres stores.
function jsonIn(octets: Buffer): unknown {
  if (whyTooComplex(octets) !== undefined) return undefined
  try {
    const value: unknown = JSON.parse(octets.toString())
    return findUnstorable(value) ? undefined : value
  } catch {
    // It is shown as text.
    return undefined
  }
}

const shownNames = ['content-type', 'location', 'retry-after', 'x-request-id'] as const

function shownHeaders(headers: OutboundAnswer['headers']): Record<string, string> {
  return Object.fromEntries(
    shownNames.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, cutText(value, maxHeaderLength)]] : []
    }),
  )
}
