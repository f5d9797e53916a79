import type { Ctx } from '../../../kit/context.ts'
import { Failure } from '../../../kit/errors.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { addRequests, dropWindows } from './sql.ts'

/** How much of the minute's allowance is left, for the RateLimit headers. */
export interface Allowance {
  limit: number
  remaining: number
  resetSeconds: number
}

interface Window {
  startsAt: number
  /** Requests of all processes, as far as this one knows. */
  known: number
  /** Requests of this process that the others do not know of yet. */
  unsaid: number
}

const windowMs = 60_000
const shareMs = 500
const keepWindowsMs = 10 * windowMs

/**
 * Counts a request of the project (of the person, where it is about none) against its minute, a fixed window over REST and GraphQL together. A process knows of
 * the others' requests at most half a second later. Throws RATE_LIMIT_EXCEEDED with Retry-After.
 */
export function takeRequest({
  world,
  config,
  clock,
  projectId: id,
  actor,
}: Pick<Ctx, 'world' | 'config' | 'clock' | 'projectId' | 'actor'>): Allowance {
  const projectId = id || (actor.kind === 'user' ? actor.userId : '')
  const now = clock.now().getTime()
  const startsAt = now - (now % windowMs)
  const { windows, share } = windowsOf(world)
  const there = windows.get(projectId)
  const window = there?.startsAt === startsAt ? there : { startsAt, known: 0, unsaid: 0 }
  windows.set(projectId, window)
  const limit = config.RATE_LIMIT_PER_MINUTE
  const resetSeconds = Math.ceil((startsAt + windowMs - now) / 1000)
  if (window.known + window.unsaid >= limit) {
    const headers = { 'Retry-After': String(resetSeconds), ...allowanceHeaders({ limit, remaining: 0, resetSeconds }) }
    throw new Failure('RATE_LIMIT_EXCEEDED', `More than ${limit} requests in this minute.`, { headers })
  }
  window.unsaid++
  share()
  return { limit, remaining: limit - window.known - window.unsaid, resetSeconds }
}

/** The headers every answer to a keyed request carries. */
export function allowanceHeaders({ limit, remaining, resetSeconds }: Allowance): Record<string, string> {
  return { 'RateLimit-Limit': String(limit), 'RateLimit-Remaining': String(remaining), 'RateLimit-Reset': String(resetSeconds) }
}

const windowsOf = perWorld((world) => {
  const windows = new Map<string, Window>()
  let timer: NodeJS.Timeout | undefined
  function share(): void {
    if (timer || world.closing.aborted) return
    timer = setTimeout(() => {
      shareNow(world, windows)
        .catch((error: unknown) => world.log.debug({ err: error }, 'rate limit: not shared'))
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
  for (const [projectId, window] of windows) if (window.startsAt + windowMs <= now && window.unsaid === 0) windows.delete(projectId)
  const saying = [...windows]
    .filter(([, { unsaid }]) => unsaid > 0)
    .map(([projectId, window]) => ({ projectId, window, requests: window.unsaid }))
  if (saying.length === 0) return
  const sums = await db.run(addRequests, [
    saying.map(({ projectId }) => projectId),
    saying.map(({ window }) => new Date(window.startsAt)),
    saying.map(({ requests }) => requests),
  ])
  const known = new Map(sums.map(({ projectId, requests }) => [projectId, requests]))
  for (const { projectId, window, requests } of saying) {
    window.unsaid -= requests
    window.known = Math.max(known.get(projectId) ?? 0, window.known + requests)
  }
}

/** Forgets the counts of minutes that are long over. */
export async function forgetWindows({ db, clock }: Pick<World, 'db' | 'clock'>): Promise<void> {
  await db.run(dropWindows, [new Date(clock.now().getTime() - keepWindowsMs)])
}
