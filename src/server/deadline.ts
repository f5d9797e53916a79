import type { ServerResponse } from 'node:http'
import type { Ctx } from '../kit/context.ts'

const checkMs = 1_000

/** The time until which an answer must have been read. */
export interface Deadline {
  /** Cuts the answer off where it has passed; returns whether it was. */
  check(): boolean
  stop(): void
}

/** Cuts an answer off that its caller has not read after so long. It is checked every second, and where `check` is called. */
export function cutOffLate(
  { world, requestId }: Pick<Ctx, 'world' | 'requestId'>,
  response: ServerResponse,
  maxTakingMs: number,
): Deadline {
  const { clock, log } = world
  const until = clock.now().getTime() + maxTakingMs
  const check = (): boolean => {
    if (clock.now().getTime() < until) return false
    clearInterval(timer)
    if (!response.destroyed) log.info({ requestId }, 'an answer was cut off because its reader took too long')
    response.destroy()
    return true
  }
  const timer = setInterval(check, checkMs).unref()
  return { check, stop: () => clearInterval(timer) }
}
