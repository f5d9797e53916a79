import { type Breaker, createBreaker, type Ending, type Pause, type Sender } from '../../../kit/smtp/breaker.ts'
import { perWorld, type World } from '../../../kit/world.ts'

/**
 * Asks to send one email of a domain. Returns how many milliseconds it has to wait, or what to call when its attempt has ended:
 * after a pause one email is tried at a time, and those a person waits for are tried first.
 */
export function admitEmail(world: World, sender: Sender & { urgent: boolean }): { waitMs: number } | { end: () => void } {
  const now = world.clock.now()
  const admission = breakerOf(world).admit({ ...sender, now })
  if (admission.kind === 'go') return admission
  return { waitMs: Math.max(1, admission.until.getTime() - now.getTime()) }
}

/** How many milliseconds longer nothing is sent from a domain of a project; 0 when it may send. */
export function pauseLeft(world: World, sender: Sender): number {
  const now = world.clock.now()
  const until = breakerOf(world).pausedUntil({ ...sender, now })
  return until ? Math.max(1, until.getTime() - now.getTime()) : 0
}

/** Records how a handover ended. Returns false when it was refused but does not count, because sending is paused. */
export function recordHandover(world: World, ending: Omit<Ending, 'now'>): boolean {
  const now = world.clock.now()
  const isFinal = breakerOf(world).record({ ...ending, now })
  const { domains, transport } = breakerOf(world).paused(now)
  world.metrics.sendingPaused.set({ scope: 'domain' }, domains)
  world.metrics.sendingPaused.set({ scope: 'transport' }, transport ? 1 : 0)
  return isFinal
}

const breakerOf: (world: World) => Breaker = perWorld((world) => createBreaker((pause) => report(world, pause)))

function report({ log }: World, { sender, answer, until }: Pause): void {
  const what = sender ? `emails from ${sender.domain}` : 'all sending'
  log.warn(
    { ...sender, answer, until },
    `emails: the mail server refuses one email after the other with "${answer}": ${what} is paused for 5 minutes; the emails wait`,
  )
}
