import type { Ctx } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { addRequests, dropWindows } from './sql.ts'

/** The state of a rate limit, for the RateLimit headers. */
export interface RateLimit {
  limit: number
  remaining: number
  resetSeconds: number
}

interface Window {
  startsAt: number
  /** Requests of all processes, as of the last exchange through the database. */
  shared: number
  /** Requests of this process that are not in the database yet. */
  unshared: number
}

const windowMs = 60_000
const shareMs = 500
const keepWindowsMs = 10 * windowMs

/**
 * Counts a request against the limit of its project, or of its user where it concerns no project. The limit applies per
 * minute, a fixed window, and covers REST and GraphQL together. Requests to other processes are counted here within half a
 * second. Fails with RATE_LIMIT_EXCEEDED and a Retry-After header.
 */
export function takeRequest({
  world,
  config,
  clock,
  projectId: id,
  actor,
}: Pick<Ctx, 'world' | 'config' | 'clock' | 'projectId' | 'actor'>): RateLimit {
  const projectId = id || (actor.kind === 'user' ? actor.userId : '')
  const now = clock.now().getTime()
  const startsAt = now - (now % windowMs)
  const { windows, share } = windowsOf(world)
  const latest = windows.get(projectId)
  const window = latest?.startsAt === startsAt ? latest : { startsAt, shared: 0, unshared: 0 }
  windows.set(projectId, window)
  const limit = config.RATE_LIMIT_PER_MINUTE
  const resetSeconds = Math.ceil((startsAt + windowMs - now) / 1000)
  if (window.shared + window.unshared >= limit) {
    const headers = { 'Retry-After': String(resetSeconds), ...rateLimitHeaders({ limit, remaining: 0, resetSeconds }) }
    throw new Failure('RATE_LIMIT_EXCEEDED', `The limit of ${limit} requests per minute is used up.`, { headers })
  }
  window.unshared++
  share()
  return { limit, remaining: limit - window.shared - window.unshared, resetSeconds }
}

/** The RateLimit headers of a response. */
export function rateLimitHeaders({ limit, remaining, resetSeconds }: RateLimit): Record<string, string> {
  return { 'RateLimit-Limit': String(limit), 'RateLimit-Remaining': String(remaining), 'RateLimit-Reset': String(resetSeconds) }
}

const windowsOf = perWorld((world) => {
  const windows = new Map<string, Window>()
  let timer: NodeJS.Timeout | undefined
  function share(): void {
    if (timer || world.closing.aborted) return
    timer = setTimeout(() => {
      shareNow(world, windows)
        .catch((error: unknown) => world.log.debug({ err: error }, 'rate limit: request counts could not be shared'))
        .finally(() => {
          timer = undefined
        })
    }, shareMs)
    timer.unref()
  }
  return { windows, share }
})

async function shareNow({ db, clock }: World, windows: Map<string, Window>): Promise<void> {
  const now = clock.now().getTime()
  for (const [projectId, window] of windows) if (window.startsAt + windowMs <= now && window.unshared === 0) windows.delete(projectId)
  const pending = [...windows]
    .filter(([, { unshared }]) => unshared > 0)
    .map(([projectId, window]) => ({ projectId, window, requests: window.unshared }))
  if (pending.length === 0) return
  const sums = await db.run(addRequests, [
    pending.map(({ projectId }) => projectId),
    pending.map(({ window }) => new Date(window.startsAt)),
    pending.map(({ requests }) => requests),
  ])
  const totals = new Map(sums.map(({ projectId, requests }) => [projectId, requests]))
  for (const { projectId, window, requests } of pending) {
    window.unshared -= requests
    window.shared = Math.max(totals.get(projectId) ?? 0, window.shared + requests)
  }
}

/** Deletes the counts of windows that ended a while ago. */
export async function forgetWindows({ db, clock }: Pick<World, 'db' | 'clock'>): Promise<void> {
  await db.run(dropWindows, [new Date(clock.now().getTime() - keepWindowsMs)])
}
