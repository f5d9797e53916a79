import { afterAll, expect, test } from 'vitest'
import { until } from '../help/until.ts'
import { startInstallation } from './installation.ts'
import { allEnded, arrivalsOf, doublesOf, type Killing, killAtRandom, maxCatchUpMs, summaryOf } from './kills.ts'
import { recordingServer } from './mail-server.ts'
import { pick, randomFrom } from './random.ts'

const kills = Number(process.env.KILLS ?? 100)
const emails = Number(process.env.EMAILS ?? 2_000)
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const random = randomFrom(seed)
const server = await recordingServer(random, 0.005)
const installation = await startInstallation(random, server)
afterAll(async () => {
  await installation.close()
  await server.close()
})

// So many emails are accepted ahead of those that have arrived, so that at any time some are being sent.
const ahead = 60
const callers = 8
const victims = ['worker', 'worker', 'worker', 'worker', 'web', 'web', 'postmaster', 'postgres backend'] as const

const addressOf = (n: number): string => `to${n}@example.com`
/** The ids of the emails by address, as the API has answered. */
const accepted = new Map<string, string>()

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
      await until(async () => n - arrivalsOf(server).size < ahead, maxCatchUpMs)
      await sendOne(n)
    }
  }
  await Promise.all(Array.from({ length: callers }, call))
}

const killing: Killing = { random, server, installation, kills, victims, maxQuietMs: 3_000, left: () => emails - arrivalsOf(server).size }

test(`${kills} random kills during ${emails} emails (SEED=${seed}): none is lost, each is recorded once, doubles only where the answer was lost`, async () => {
  const began = performance.now()
  const [done] = await Promise.all([killAtRandom(killing), sendAll()])
  await allEnded(installation)
  console.log(summaryOf(done, killing, began))

  const arrivals = arrivalsOf(server)
  for (const [to, copies] of arrivals)
    expect(new Set(copies.map(({ messageId }) => messageId)), to).toEqual(new Set([`<${accepted.get(to)}@demo.test>`]))
  expect(new Set(arrivals.keys())).toEqual(new Set(Array.from({ length: emails }, (_, n) => addressOf(n))))
  expect(doublesOf(killing).without).toEqual([])
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
