import type { Ctx } from '../../../kit/context.ts'
import { tooManyRequests } from '../../../kit/errors.ts'
import { networkOf } from '../../../kit/networks.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { addRequests, dropWindows } from './sql.ts'

/** The state of a rate limit, for the RateLimit headers. */
export interface RateLimit {
  limit: number
  remaining: number
  resetSeconds: number
}

/** A window of time in which so many requests are allowed. */
interface Limit {
  name: string
  limit: number
  /** Other processes learn of the requests from this number on. Default: of every request. */
  sharedFrom?: number
  /** What a caller is told when it is used up: a sentence, which is followed by when to try again. */
  usedUp?: string
}

interface Window {
  startsAt: number
  sharedFrom: number
  /** Requests of all processes, as of the last exchange through the database. */
  shared: number
  /** Requests of this process that are not in the database yet. */
  unshared: number
}

const windowMs = 60_000
const shareMs = 500
const keepWindowsMs = 10 * windowMs
// What the public key may do in a project, as a multiple of what it may do from one address.
const publicAddresses = 10
// An address that sends few requests is not worth a row: a busy page has thousands of visitors per minute.
const sharedShare = 1 / 20

type At = Pick<Ctx, 'world' | 'clock'>
type Call = At & Pick<Ctx, 'config' | 'projectId' | 'actor' | 'client'>

/**
 * Counts a request against the limit of its project, or of its user where it concerns no project. The limit applies per
 * minute, a fixed window, and covers REST and GraphQL together. Requests with the public key, which anyone can read, have
 * windows of their own, one per client address and one per project: they never use up what the secret key needs. Requests to
 * other processes are counted here within half a second. Fails with RATE_LIMIT_EXCEEDED and a Retry-After header.
 */
export function takeRequest({ world, clock, config, projectId, actor, client }: Call): RateLimit {
  const at = { world, clock }
  const limit = config.RATE_LIMIT_PER_MINUTE
  const owner = projectId || (actor.kind === 'user' ? actor.userId : '')
  if (actor.kind !== 'key' || actor.key === 'SECRET') return take(at, [{ name: owner, limit }])
  return take(at, [
    { name: `${owner} public`, limit: publicAddresses * limit },
    { name: `${owner} public ${networkOf(client.address)}`, limit, sharedFrom: limit * sharedShare },
  ])
}

/** The limit of different unknown keys per minute and client address (IPv6 by /64), over all processes. */
export function unknownKeyLimit(world: World, network: string): { /** Fails with RATE_LIMIT_EXCEEDED. */ check(): void; count(): void } {
  const at = { world, clock: world.clock }
  const max = world.config.UNKNOWN_KEYS_PER_MINUTE
  const limit = {
    name: `unknown keys ${network}`,
    limit: max,
    usedUp: `This address has sent ${max} different API keys that do not exist within this minute: keys from it are refused, unless they have been used here before.`,
  }
  return { check: () => requireLeft(at, limit), count: () => void count(at, limit) }
}

function take(at: At, limits: Limit[]): RateLimit {
  for (const limit of limits) requireLeft(at, limit)
  const states = limits.map((limit) => count(at, limit))
  return states.reduce((least, state) => (state.remaining < least.remaining ? state : least))
}

function requireLeft(at: At, limit: Limit): void {
  const { shared, unshared } = windowOf(at, limit)
  if (shared + unshared < limit.limit) return
  const resetSeconds = secondsLeft(at)
  const headers = rateLimitHeaders({ limit: limit.limit, remaining: 0, resetSeconds })
  throw tooManyRequests(limit.usedUp ?? `The limit of ${limit.limit} requests per minute is used up.`, resetSeconds, headers)
}

function count(at: At, limit: Limit): RateLimit {
  const window = windowOf(at, limit)
  window.unshared++
  windowsOf(at.world).share()
  return { limit: limit.limit, remaining: Math.max(0, limit.limit - window.shared - window.unshared), resetSeconds: secondsLeft(at) }
}

function windowOf({ world, clock }: At, { name, sharedFrom = 0 }: Limit): Window {
  const { windows } = windowsOf(world)
  const now = clock.now().getTime()
  const startsAt = now - (now % windowMs)
  const latest = windows.get(name)
  if (latest?.startsAt === startsAt) return latest
  const opened = { startsAt, sharedFrom, shared: 0, unshared: 0 }
  windows.set(name, opened)
  return opened
}

function secondsLeft({ clock }: At): number {
  return Math.ceil((windowMs - (clock.now().getTime() % windowMs)) / 1000)
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
          // What was counted meanwhile, or could not be shared.
          if ([...windows.values()].some(isDue)) share()
        })
    }, shareMs)
    timer.unref()
  }
  return { windows, share }
})

const isDue = ({ shared, unshared, sharedFrom }: Window): boolean => unshared > 0 && shared + unshared >= sharedFrom

async function shareNow({ db, clock }: World, windows: Map<string, Window>): Promise<void> {
  const now = clock.now().getTime()
  for (const [name, window] of windows) if (window.startsAt + windowMs <= now && !isDue(window)) windows.delete(name)
  const pending = [...windows].filter(([, window]) => isDue(window)).map(([name, window]) => ({ name, window, requests: window.unshared }))
  if (pending.length === 0) return
  const sums = await db.run(addRequests, [
    pending.map(({ name }) => name),
    pending.map(({ window }) => new Date(window.startsAt)),
    pending.map(({ requests }) => requests),
  ])
  const totals = new Map(sums.map(({ projectId, requests }) => [projectId, requests]))
  for (const { name, window, requests } of pending) {
    window.unshared -= requests
    window.shared = Math.max(totals.get(name) ?? 0, window.shared + requests)
  }
}

/** Deletes the counts of windows that ended a while ago. */
export async function forgetWindows({ db, clock }: Pick<World, 'db' | 'clock'>): Promise<void> {
  await db.run(dropWindows, [new Date(clock.now().getTime() - keepWindowsMs)])
}
