import {
  type Admitted,
  type Breaker,
  createBreaker,
  type Ending,
  type OwnedSender,
  type Pause,
  type Sender,
  type Wait,
} from '../../../kit/smtp/breaker.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { wakePaused } from '../queue/sql.ts'
import { waitsForPause } from '../queue/waits.ts'
import type { Outcome } from './outcomes.ts'

/**
 * Asks to send one email of a domain, or asks again: `before` is what this returned then, and stays unless a pause has begun since.
 * Returns how the attempt ends when the email has to wait. After a pause one email is tried at a time.
 */
export function admitEmail(world: World, sender: OwnedSender & { urgent: boolean }, before?: Admitted): Admitted | PausedOutcome {
  const now = world.clock.now()
  if (before?.holds(now)) return before
  before?.end()
  const admission = breakerOf(world).admit({ ...sender, now })
  return admission.kind === 'go' ? admission : pausedBy(admission, sender, now)
}

/** Records how a handover ended. Returns how the attempt ends when that does not count, because sending is paused; null when it does. */
export function recordHandover(world: World, ending: Omit<Ending, 'now'>): PausedOutcome | null {
  const now = world.clock.now()
  if (breakerOf(world).record({ ...ending, now })) return null
  return pausedBy(breakerOf(world).pausedUntil({ ...ending, now }) ?? { until: now, scope: 'domain' }, ending, now)
}

/** How many sender domains this process has paused, and whether it has paused all sending. */
export function countPaused(world: World): ReturnType<Breaker['paused']> {
  return breakerOf(world).paused(world.clock.now())
}

type PausedOutcome = Extract<Outcome, { kind: 'paused' }>

// However long the pause: an email is given up after an attempt only.
function pausedBy({ until, scope }: Wait, sender: Sender, now: Date): PausedOutcome {
  const domain = scope === 'domain' ? sender.domain : null
  const waitMs = Math.min(Math.max(1, until.getTime() - now.getTime()), maxWaitMs)
  return { kind: 'paused', waitMs, reason: reasonOf(domain), waitsFor: waitsForPause(domain) }
}

function reasonOf(domain: string | null): string {
  const what = domain === null ? 'All sending' : `Sending from ${domain}`
  return `${what} is paused, because the mail server refused one email after the other. This email waits.`
}

/**
 * Lets the emails be attempted at once that wait for a pause that has ended, up to `max` per sender, wherever they were told to wait.
 * Returns whether there may be more.
 */
export async function wakeResumed(world: World, max: number): Promise<boolean> {
  const resumed = resumedOf(world)
  let more = false
  for (const [key, { sender, at }] of resumed) {
    const values = [world.clock.aheadMs, maxWaitMs, waitsForPause(sender?.domain ?? null), sender?.projectId ?? null, max]
    const woken = await world.db.lookups.run(wakePaused, values)
    if (woken.length === max) more = true
    else if (performance.now() - at > recordedMs) resumed.delete(key)
  }
  return more
}

// Until then, those that were told to wait right before may not be recorded yet.
const recordedMs = 10_000

const resumedOf = perWorld(() => new Map<string, { sender: Sender | null; at: number }>())

function keyOf(sender: Sender | null): string {
  return sender ? `${sender.projectId}/${sender.domain}` : ''
}

// Then it asks again: the email of another project may have ended a pause of all sending, and other processes, as this one after a
// restart, know nothing of the pause.
const maxWaitMs = 5 * 60_000

const breakerOf: (world: World) => Breaker = perWorld((world) =>
  createBreaker(
    (pause) => {
      resumedOf(world).delete(keyOf(pause.sender))
      report(world, pause)
    },
    (sender) => resumedOf(world).set(keyOf(sender), { sender, at: performance.now() }),
  ),
)

function report({ log, clock }: World, { sender, answer, until }: Pause): void {
  const what = sender ? `emails from ${sender.domain}` : 'all sending'
  const minutes = Math.round((until.getTime() - clock.now().getTime()) / 60_000)
  log.warn(
    { ...sender, answer, until },
    `emails: the mail server refuses one email after the other with "${answer}": ${what} is paused for ${minutes} minutes; the emails wait`,
  )
}
