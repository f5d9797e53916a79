import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { until } from '../help/until.ts'
import { startInstallation } from './installation.ts'
import { type Arrival, recordingServer } from './mail-server.ts'
import { pick, randomFrom } from './random.ts'

const kills = Number(process.env.KILLS ?? 100)
const emails = Number(process.env.EMAILS ?? 2_000)
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const random = randomFrom(seed)
const server = await recordingServer(random, 0.005)
const installation = await startInstallation(random, server.port)
afterAll(async () => {
  await installation.close()
  await server.close()
})

const stepsPerEmail = 4
// So many emails are accepted ahead of those that have arrived, so that at any time some are being sent.
const ahead = 60
const callers = 8
const maxQuietMs = 3_000
const maxCatchUpMs = 300_000
const victims = ['worker', 'worker', 'worker', 'worker', 'web', 'web', 'postmaster', 'postgres backend'] as const

const addressOf = (n: number): string => `to${n}@example.com`
/** The ids of the emails by address, as the API has answered. */
const accepted = new Map<string, string>()
const arrivedOnce = (): Map<string, Arrival[]> => Map.groupBy(server.arrivals, ({ to }) => to)

/** Sends one email with an Idempotency-Key, again and again until it is acknowledged. */
async function sendOne(n: number): Promise<void> {
  const to = addressOf(n)
  const headers = { authorization: `Bearer ${installation.key}`, 'content-type': 'application/json', 'idempotency-key': `email ${n}` }
  const body = JSON.stringify({ to, from: 'hi@demo.test', subject: 'Hello {{ email }}', body: `<p>Number ${n}</p>` })
  await until(async () => {
    const url = `${pick(random, installation.urls)}/v1/send`
    const response = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined)
    // The process may also be killed while it answers.
    const answer = await response?.json().catch(() => undefined)
    if (response?.status === 200 && answer) accepted.set(to, answer.data.emails[0].email)
    else if (answer) expect([409, 503]).toContain(response?.status)
    return accepted.has(to)
  }, maxCatchUpMs)
}

async function sendAll(): Promise<void> {
  let next = 0
  const call = async (): Promise<void> => {
    while (next < emails) {
      const n = next++
      await until(async () => n - arrivedOnce().size < ahead, maxCatchUpMs)
      await sendOne(n)
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
}

/** Kills processes at random steps of SMTP sessions, or some milliseconds after one; returns how often at which step and what. */
async function killAtRandom(): Promise<Record<string, number>> {
  const done: Record<string, number> = {}
  for (let kill = 0; kill < kills; kill++) {
    const left = Math.max(1, emails - arrivedOnce().size)
    const step = await server.steps(1 + Math.floor((random() * 2 * stepsPerEmail * left) / (kills - kill)), maxQuietMs)
    if (random() < 0.5) await pause(random() * 20)
    const victim = installation.kill(pick(random, victims))
    for (const what of [victim, `at ${step}`]) done[what] = (done[what] ?? 0) + 1
  }
  return done
}

/** Waits until every email has ended; fails with those that have not. */
async function allEnded(): Promise<void> {
  const sql = 'select d.*, w.until > now() as "workerLives" from deliveries d left join delivery_workers w on w.id = d.worker'
  let open: unknown[] = []
  // As if the time until the next attempt had passed: up to two hours, because attempts that were killed count.
  const timePasses = 'update deliveries set due = now() where due > now()'
  const ended = async (): Promise<boolean> => {
    open = await installation.query(sql).catch(() => ['PostgreSQL is not available'])
    if (open.length > 0) await installation.query(timePasses).catch(() => [])
    return open.length === 0
  }
  await until(ended, maxCatchUpMs).catch((cause: unknown) => {
    throw new Error(`${open.length} emails have not ended: ${JSON.stringify(open.slice(0, 5))}`, { cause })
  })
}

/** Why a message that had arrived was sent again; undefined where there is no reason. */
function reasonOf(arrival: Arrival, again: Arrival): string | undefined {
  if (arrival.answer === 'cut') return 'the server cut the connection instead of answering'
  const died = installation.deaths.get(arrival.sender)
  if (died === undefined || died > again.at) return undefined
  if (died < arrival.at) return 'its worker was killed before the server had read all it had written'
  return arrival.answer === 'read'
    ? 'its worker was killed before it could record the answer'
    : 'its worker was killed before it used the connection again'
}

test(`${kills} random kills during ${emails} emails (SEED=${seed}): none is lost, each is recorded once, doubles only where the answer was lost`, async () => {
  const began = performance.now()
  const [done] = await Promise.all([killAtRandom(), sendAll()])
  await allEnded()

  const arrivals = arrivedOnce()
  const doubles: string[] = []
  for (const [to, copies] of arrivals) {
    expect(new Set(copies.map(({ messageId }) => messageId)), to).toEqual(new Set([`<${accepted.get(to)}@demo.test>`]))
    for (const [at, copy] of copies.entries()) {
      const again = copies[at + 1]
      if (again) doubles.push(reasonOf(copy, again) ?? `${to} without a reason: ${JSON.stringify(copies)}`)
    }
  }
  const counts = Object.entries(Object.groupBy(doubles, (reason) => reason)).map(([reason, all]) => `${all?.length} because ${reason}`)
  const unread = server.arrivals.filter(({ answer }) => answer !== 'read').length
  console.log(
    `${kills} kills (${JSON.stringify(done)}) in ${((performance.now() - began) / 1_000).toFixed(0)} s; ${arrivals.size} emails arrived ` +
      `${server.arrivals.length} times, ${unread} answers were not seen to be read; doubles: ${counts.join(', ') || 'none'}`,
  )

  expect(new Set(arrivals.keys())).toEqual(new Set(Array.from({ length: emails }, (_, n) => addressOf(n))))
  expect(doubles.filter((reason) => reason.includes('without a reason'))).toEqual([])
  const ledger = await installation.query<{ id: string; to: string; status: string; attempts: number; sent: number }>(
    `select e.id, e.to_address as to, e.status, e.attempts,
       (select count(*)::int from events v where v.project_id = e.project_id and v.email_id = e.id and v.name = 'email.sent') as sent
     from emails e`,
  )
  expect(new Map(ledger.map(({ id, to }) => [to, id]))).toEqual(accepted)
  expect(ledger.filter(({ status, sent }) => status !== 'SENT' || sent !== 1)).toEqual([])
  expect(ledger.filter(({ to, attempts }) => attempts < (arrivals.get(to)?.length ?? 0))).toEqual([])
  expect(ledger).toHaveLength(emails)
})
