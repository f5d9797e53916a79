import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { until } from '../help/until.ts'
import { startInstallation, type Victim } from './installation.ts'
import { allEnded, arrivalsOf, doublesOf, type Killing, killAtRandom, maxCatchUpMs, summaryOf } from './kills.ts'
import { recordingServer } from './mail-server.ts'
import { pick, randomFrom } from './random.ts'

const kills = Number(process.env.KILLS ?? 100)
const emails = Number(process.env.EMAILS ?? 2_000)
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const random = randomFrom(seed)
// Slow enough that a worker which was killed runs again before all have been sent.
const server = await recordingServer(random, 0.005, 600)
const installation = await startInstallation(random, server)
afterAll(async () => {
  await installation.close()
  await server.close()
})

const callers = 8
// So many while its recipients are written down, before the first email leaves.
const earlyKills = Math.floor(kills / 10)
const maxEarlyMs = 600
const ones: Victim[] = ['worker', 'worker', 'worker', 'worker', 'worker', 'worker', 'worker']
const victims = ['both workers', 'postmaster', 'postgres backend', ...ones] as const
const left = (): number => emails - arrivalsOf(server).size
const killing: Killing = { random, server, installation, kills: kills - earlyKills, victims, maxQuietMs: 10_000, left }
const addressOf = (n: number): string => `to${n}@example.com`

/** Calls the API of the installation until it answers with success: a web process may be starting, or without PostgreSQL. */
async function call<Body>(method: 'GET' | 'POST', path: string, body?: object): Promise<Body> {
  let answer: Body | undefined
  await until(async () => {
    const response = await fetch(pick(random, installation.urls) + path, {
      method,
      headers: { authorization: `Bearer ${installation.key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => undefined)
    if (response?.ok) answer = (await response.json()) as Body
    return answer !== undefined
  }, maxCatchUpMs)
  return answer as Body
}

async function addContacts(): Promise<void> {
  let next = 0
  const add = async (): Promise<void> => {
    while (next < emails) await call('POST', '/contacts', { email: addressOf(next++) })
  }
  await Promise.all(Array.from({ length: callers }, add))
}

async function killEarly(): Promise<Record<string, number>> {
  const done: Record<string, number> = {}
  for (let kill = 0; kill < earlyKills; kill++) {
    await pause(random() * maxEarlyMs)
    const victim = installation.kill(pick(random, victims))
    for (const what of [victim, 'at the beginning']) done[what] = (done[what] ?? 0) + 1
  }
  return done
}

interface Row {
  id: string
  to: string
  status: string
  attempts: number
  sent: number
}

test(`${kills} random kills during a campaign to ${emails} (SEED=${seed}): none is lost, each has one row, doubles only where the answer was lost`, async () => {
  await addContacts()
  const draft = { name: 'News', subject: 'Hello {{ email }}', body: '<p>News</p>', from: 'hi@demo.test', audienceType: 'ALL' }
  const { data: campaign } = await call<{ data: { id: string } }>('POST', '/campaigns', draft)
  const began = performance.now()
  await call('POST', `/campaigns/${campaign.id}/send`, {})
  const early = await killEarly()
  const done = await killAtRandom(killing)
  for (const [what, count] of Object.entries(early)) done[what] = (done[what] ?? 0) + count
  const isSent = async (): Promise<boolean> => {
    await allEnded(installation)
    await pause(200)
    return (await call<{ status: string }>('GET', `/campaigns/${campaign.id}`)).status === 'SENT'
  }
  await until(isSent, maxCatchUpMs)
  console.log(summaryOf(done, killing, began))

  const ledger = await installation.query<Row>(
    `select e.id, e.to_address as to, e.status, e.attempts,
       (select count(*)::int from events v where v.project_id = e.project_id and v.email_id = e.id and v.name = 'email.sent') as sent
     from emails e where e.campaign_id is not null`,
  )
  expect(ledger).toHaveLength(emails)
  expect(new Set(ledger.map(({ to }) => to))).toEqual(new Set(Array.from({ length: emails }, (_, n) => addressOf(n))))
  expect(ledger.filter(({ status, sent }) => status !== 'SENT' || sent !== 1)).toEqual([])
  const arrivals = arrivalsOf(server)
  expect(arrivals.size).toBe(emails)
  for (const { id, to, attempts } of ledger) {
    const copies = arrivals.get(to) ?? []
    expect(new Set(copies.map(({ messageId }) => messageId)), to).toEqual(new Set([`<${id}@demo.test>`]))
    expect(attempts, to).toBeGreaterThanOrEqual(copies.length)
  }
  expect(doublesOf(killing).without).toEqual([])
  const stats = { totalRecipients: emails, sentCount: emails, bouncedCount: 0, failedCount: 0, suppressedCount: 0 }
  await expect.poll(() => call('GET', `/campaigns/${campaign.id}/stats`), { timeout: 30_000 }).toMatchObject(stats)
})
