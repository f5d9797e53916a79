import { batch } from '../../../kit/batch.ts'
import { isTransient } from '../../../kit/postgres/db.ts'
import { recent } from '../../../kit/recent.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { dailyLimits, waitsForWarmUp, warmUpReason } from '../../domains/warm-up/schedule.ts'
import { type ClaimedEmail, isFresh } from '../queue/claim.ts'
import { type GrantedRow, returnShares, takeShares } from './sql.ts'

type Attempt = { world: World; email: ClaimedEmail }

/** How an attempt ends whose email has to wait. */
interface Paused {
  kind: 'paused'
  reason: string
  waitsFor: `WARM_UP:${string}`
  waitMs: number
}

/** How an attempt ended, as far as it says whether the email has left. */
interface Ending {
  kind: string
  uncertain?: boolean
  /** Of copies that were attempted alone: whether one of them was taken. */
  accepted?: boolean
}

/**
 * How an attempt ends whose sender domain has reached the limit of the day, as far as this process knows without asking; null when it
 * may go on. Nothing is rendered that would wait in the end.
 */
export function requireShare({ world, email }: Attempt): Paused | null {
  const full = email.warmsUp && email.lane !== 'transactional' && isFresh(email, knownMs) ? fullOf(world).get(keyOf(email)) : undefined
  return full && full.knownUntil > now(world) ? pausedUntil(full, now(world)) : null
}

/**
 * Takes a share of what may leave today, when an email whose sender domain is warmed up is about to leave; an email that a person waits
 * for counts and is never held up. Returns how the attempt ends when the limit of the day is reached. Nothing is asked of other domains.
 */
export async function takeShare({ world, email }: Attempt): Promise<Paused | null> {
  if (!email.warmsUp || email.domainId === null || takenOf(world).has(email)) return null
  const full = await sharesOf(world)(email)
  if (full) return pausedUntil(full, now(world))
  takenOf(world).add(email)
  return null
}

/** Gives the share of an email back that has not left: it was put off, refused, or not handed over. */
export async function returnShare({ world, email }: Attempt, outcome: Ending): Promise<void> {
  if (!takenOf(world).delete(email) || hasLeft(outcome)) return
  try {
    await returnsOf(world)(email)
  } catch (error) {
    if (!isTransient(error)) throw error
    world.log.debug({ err: error, email: email.id }, 'emails: a share of a warm-up was not given back')
  }
}

// One whose answer was lost may have.
function hasLeft({ kind, uncertain, accepted }: Ending): boolean {
  return kind === 'SENT' || kind === 'lost' || accepted === true || uncertain === true
}

const takenOf = perWorld(() => new WeakSet<ClaimedEmail>())

/** A domain that has reached the limit of the day. */
interface Full {
  domain: string
  /** When the next day begins, and until when nobody asks again, in ms of `now`. */
  until: number
  knownUntil: number
}

// Shares may be given back meanwhile, or the warm-up may have ended.
const knownMs = 5_000

const fullOf = perWorld(() => recent<string, Full>({ max: 10_000 }))

// Monotonic, and turned by tests.
function now({ clock }: World): number {
  return performance.now() + clock.aheadMs
}

function keyOf({ projectId, domainId }: Pick<ClaimedEmail, 'projectId' | 'domainId'>): string {
  return `${projectId}/${domainId}`
}

function pausedUntil({ domain, until }: Full, at: number): Paused {
  return { kind: 'paused', reason: warmUpReason(domain), waitsFor: waitsForWarmUp(domain), waitMs: Math.max(1, until - at) }
}

const maxAtOnce = 500

// What leaves at the same time is one statement; the first of those that may be held up leave.
const sharesOf = perWorld((world) =>
  batch(async (emails: ClaimedEmail[]) => {
    const groups = Map.groupBy(emails, keyOf)
    const heads = [...groups.values()].flatMap(([first]) => first ?? [])
    const counts = (urgent: boolean) =>
      [...groups.values()].map((group) => group.filter(({ lane }) => (lane === 'transactional') === urgent).length)
    const rows = await world.db.run(takeShares, [
      heads.map(({ projectId }) => projectId),
      heads.map(({ domainId }) => domainId),
      counts(true),
      counts(false),
      dailyLimits,
      world.clock.aheadMs,
    ])
    const granted = new Map(rows.map((row) => [keyOf(row), { ...row, left: row.granted }]))
    return emails.map((email) => {
      const row = granted.get(keyOf(email))
      // Not warmed up any more.
      if (!row || email.lane === 'transactional' || row.left-- > 0) return null
      return rememberFull(world, row)
    })
  }, maxAtOnce),
)

function rememberFull(world: World, row: GrantedRow): Full {
  const at = now(world)
  const full = { domain: row.domain, until: at + row.waitMs, knownUntil: at + Math.min(knownMs, row.waitMs) }
  fullOf(world).set(keyOf(row), full)
  return full
}

const returnsOf = perWorld(({ db, clock }) =>
  batch(async (emails: ClaimedEmail[]) => {
    const groups = [...Map.groupBy(emails, keyOf).values()]
    await db.run(returnShares, [
      groups.map(([first]) => first?.projectId),
      groups.map(([first]) => first?.domainId),
      groups.map(({ length }) => length),
      clock.aheadMs,
    ])
    return emails.map(() => undefined)
  }, maxAtOnce),
)
