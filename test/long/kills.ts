import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../help/until.ts'
import type { Installation, Victim } from './installation.ts'
import type { Arrival, RecordingServer } from './mail-server.ts'
import { pick, type Random } from './random.ts'

const stepsPerEmail = 4

/** The longest that everything may take to catch up after the last kill. */
export const maxCatchUpMs = 300_000

/** An installation that sends to a mail server, and how often what of it is killed. */
export interface Killing {
  random: Random
  server: RecordingServer
  installation: Installation
  kills: number
  victims: readonly [Victim, ...Victim[]]
  /** The longest time between two kills. */
  maxQuietMs: number
  /** How many emails have not arrived yet. */
  left(): number
}

/** Kills processes at random steps of SMTP sessions, or some milliseconds after one; returns how often at which step and what. */
export async function killAtRandom({
  random,
  server,
  installation,
  kills,
  victims,
  maxQuietMs,
  left,
}: Killing): Promise<Record<string, number>> {
  const done: Record<string, number> = {}
  for (let kill = 0; kill < kills; kill++) {
    const steps = (random() * 2 * stepsPerEmail * Math.max(1, left())) / (kills - kill)
    const step = await server.steps(1 + Math.floor(steps), maxQuietMs)
    if (random() < 0.5) await pause(random() * 20)
    const victim = installation.kill(pick(random, victims))
    for (const what of [victim, `at ${step}`]) done[what] = (done[what] ?? 0) + 1
  }
  return done
}

/** Waits until every email has ended; fails with those that have not. */
export async function allEnded({ query }: Installation): Promise<void> {
  const sql = 'select d.*, w.until > now() as "workerLives" from deliveries d left join delivery_workers w on w.id = d.worker'
  let open: unknown[] = []
  // As if the time until the next attempt had passed: up to two hours, because attempts that were killed count.
  const timePasses = 'update deliveries set due = now() where due > now()'
  const ended = async (): Promise<boolean> => {
    open = await query(sql).catch(() => ['PostgreSQL is not available'])
    if (open.length > 0) await query(timePasses).catch(() => [])
    return open.length === 0
  }
  await until(ended, maxCatchUpMs).catch((cause: unknown) => {
    throw new Error(`${open.length} emails have not ended: ${JSON.stringify(open.slice(0, 5))}`, { cause })
  })
}

/** The messages that have arrived, by address. */
export function arrivalsOf({ arrivals }: RecordingServer): Map<string, Arrival[]> {
  return Map.groupBy(arrivals, ({ to }) => to)
}

/** Why each message that arrived again was sent again, and how often each reason; `without`: those without a reason. */
export function doublesOf({ server, installation: { deaths } }: Pick<Killing, 'server' | 'installation'>): {
  counts: string
  without: string[]
} {
  const doubles: string[] = []
  const without: string[] = []
  for (const [to, copies] of arrivalsOf(server))
    for (const [at, copy] of copies.entries()) {
      const again = copies[at + 1]
      const reason = again && reasonOf(deaths, copy, again)
      if (reason) doubles.push(reason)
      else if (again) without.push(`${to} without a reason: ${JSON.stringify(copies)}`)
    }
  const counts = Object.entries(Object.groupBy(doubles, (reason) => reason)).map(([reason, all]) => `${all?.length} because ${reason}`)
  return { counts: counts.join(', ') || 'none', without }
}

function reasonOf(deaths: Installation['deaths'], arrival: Arrival, again: Arrival): string | undefined {
  if (arrival.answer === 'cut') return 'the server cut the connection instead of answering'
  const died = deaths.get(arrival.sender)
  if (died === undefined || died > again.at) return undefined
  if (died < arrival.at) return 'its worker was killed before the server had read all it had written'
  return arrival.answer === 'read'
    ? 'its worker was killed before it could record the answer'
    : 'its worker was killed before it used the connection again'
}

/** What happened, in one line. */
export function summaryOf(done: Record<string, number>, { server, installation }: Killing, began: number): string {
  const kills = Object.entries(done).reduce((sum, [what, count]) => (what.startsWith('at ') ? sum + count : sum), 0)
  const unread = server.arrivals.filter(({ answer }) => answer !== 'read').length
  return (
    `${kills} kills (${JSON.stringify(done)}) in ${((performance.now() - began) / 1_000).toFixed(0)} s; ${arrivalsOf(server).size} emails arrived ` +
    `${server.arrivals.length} times, ${unread} answers were not seen to be read; doubles: ${doublesOf({ server, installation }).counts}`
  )
}
