import type { Handover } from '../../src/kit/mailer.ts'
import { type Admission, createBreaker, type Pause } from '../../src/kit/smtp/breaker.ts'
import { type Phase, parseAnswer } from '../../src/kit/smtp/refusals.ts'

/** A minute in milliseconds, and when the tests of the breaker begin. */
export const minute = 60_000
export const start = Date.parse('2026-01-31T09:30:00Z')
/** An accepted email, and one that the server does not relay. */
export const accepted: Handover = { kind: 'accepted', response: '250 ok' }
export const relay = refused('550 relay not permitted')

/** An email refused for good with a reply. */
export function refused(reply: string, phase: Phase = 'rcpt'): Handover {
  return { kind: 'refused', response: reply, recipient: false, answer: parseAnswer(phase, reply) }
}

/** A server that lets nothing be sent. */
export function turnedAway(reply: string, phase: Phase): Handover {
  return { kind: 'deferred', response: reply, problem: { reason: reply, advice: '' }, answer: parseAnswer(phase, reply) }
}

/** Whose email it is, and when it ends, in milliseconds after `start`. */
interface Given {
  projectId?: string
  domain?: string
  /** The owner of the project; by default each has its own. */
  account?: string
  /** Whether the account is established; by default it is. */
  established?: boolean
  address?: string
  /** The domain of its recipient; by default each project writes to its own. */
  to?: string
  urgent?: boolean
  at?: number
}

/** A breaker, the pauses it has begun, and what a test asks of it. */
export function breakerTest() {
  const pauses: Pause[] = []
  const resumed: (string | null)[] = []
  const breaker = createBreaker(
    (pause) => pauses.push(pause),
    (sender) => resumed.push(sender?.domain ?? null),
  )
  let address = 0
  const record = (handover: Handover, { projectId = 'prj_a', domain = 'a.test', at = 0, ...given }: Given = {}): boolean =>
    breaker.record({
      ...{
        projectId,
        domain,
        account: given.account ?? projectId,
        established: given.established ?? true,
        handover,
        now: new Date(start + at),
      },
      address: given.address ?? `user${address++}@${given.to ?? `${projectId}.example`}`,
    })
  const times = (count: number, handover: Handover, given: Given = {}): boolean[] =>
    Array.from({ length: count }, () => record(handover, given))
  const until = ({ projectId = 'prj_a', domain = 'a.test', at = 0 }: Given = {}): number | null => {
    const paused = breaker.pausedUntil({ projectId, domain, now: new Date(start + at) })
    return paused && paused.until.getTime() - start
  }
  const admit = ({
    projectId = 'prj_a',
    domain = 'a.test',
    account = projectId,
    established = true,
    urgent = false,
    at = 0,
  }: Given = {}): Admission => breaker.admit({ projectId, domain, account, established, urgent, now: new Date(start + at) })
  return { breaker, pauses, resumed, record, times, until, admit }
}
