// Measures the live stream: a thousand websockets of one project, against graphql-ws executing for each of them.

import type { ChildProcess } from 'node:child_process'
import { execFileSync } from 'node:child_process'
import { logEvents } from '../help/lines.ts'
import { freePort } from '../help/ports.ts'
import { size } from './flags.ts'
import { benchWorld, type Seeded, startBenchPostgres } from './postgres.ts'
import { end, helper, postwire } from './processes.ts'
import { median, record } from './results.ts'
import type { Watched, WatchPlan } from './watchers.ts'

const sockets = size('sockets', 1_000)
const burst = size('burst', 200)
const rounds = size('rounds', 3)
const seconds = size('seconds', 10)
const perSecond = 20
const maxMs = 120_000

await using open = new AsyncDisposableStack()
const postgres = open.adopt(await startBenchPostgres(), (it) => it.end())
const [seededOurs, seededBare] = [await postgres.seed('ours'), await postgres.seed('bare')]
const [ourPort, barePort] = [await freePort(), await freePort()]
const server = open.adopt(await postwire(environment(seededOurs, ourPort)), end)
open.adopt(await helper('live-yardstick.ts', [seededBare.url, String(barePort)]), end)

const worlds = new Map<string, Awaited<ReturnType<typeof benchWorld>>>()
for (const { url, appSecret } of [seededOurs, seededBare])
  worlds.set(
    url,
    open.adopt(await benchWorld(url, appSecret), (it) => it.close()),
  )

const ours = await watchers(ourPort, seededOurs)
// Of as many again: what the first ones cost is, in part, the program that is loaded and compiled for them.
const before = rssOf(server)
const more = await watchers(ourPort, seededOurs)
const kilobytes = ((rssOf(server) - before) / sockets).toFixed(0)
await end(more)
const bare = await watchers(barePort, seededBare)

const seen = { ours: [] as number[], bare: [] as number[] }
for (let round = 0; round < rounds; round++) {
  seen.bare.push(await deliveriesPerSecond(bare, seededBare))
  seen.ours.push(await deliveriesPerSecond(ours, seededOurs))
}
const [mine, theirs] = [median(seen.ours), median(seen.bare)]
const bareAges = await agesOf(bare, seededBare)
const ourAges = await agesOf(ours, seededOurs)
await record(
  'live',
  'The live stream',
  `${sockets} websockets watch the activity of one project. ${burst} lines are committed at once, and ${perSecond} per second. The yardstick is graphql-ws as its manual says, which executes every item for every subscriber.`,
  [
    {
      what: 'items/s to sockets, at saturation',
      ours: mine.toFixed(0),
      yardstick: theirs.toFixed(0),
      ratio: (mine / theirs).toFixed(2),
      bar: '≥ 2',
    },
    ...(['p50', 'p99'] as const).map((which) => ({
      what: `from commit to socket at ${perSecond} lines/s, ${which}`,
      ours: `${ourAges[which]} ms`,
      yardstick: `${bareAges[which]} ms`,
      ratio: (bareAges[which] / ourAges[which]).toFixed(2),
      bar: which === 'p99' ? '< 250 ms' : '',
    })),
    { what: 'memory per socket', ours: `${kilobytes} KB`, yardstick: '', ratio: '', bar: '≤ 60 KB' },
  ],
  postgres.version,
)

function environment({ url, appSecret }: Seeded, port: number): Record<string, string> {
  const limits = { MAX_SOCKETS_PER_ADDRESS: '100000', MAX_SOCKETS_PER_KEY: '100000', MAX_SOCKETS_BEFORE_INIT: '1000' }
  return {
    DATABASE_URL: url,
    APP_SECRET: appSecret,
    PORT: String(port),
    ROLE: 'web',
    EMAIL_TRANSPORT: 'null',
    RATE_LIMIT_PER_MINUTE: '100000000',
    ...limits,
  }
}

async function watchers(port: number, { secretKey }: Seeded): Promise<ChildProcess> {
  const child = await helper('watchers.ts', [`ws://127.0.0.1:${port}/graphql`, `Bearer ${secretKey}`, String(sockets)])
  return open.adopt(child, end)
}

async function deliveriesPerSecond(child: ChildProcess, seeded: Seeded): Promise<number> {
  const watched = await watching(child, { items: sockets * burst, maxMs }, () => commit(seeded, burst))
  if (watched.items !== sockets * burst) throw new Error(`${watched.items} of ${sockets * burst} items arrived`)
  return watched.items / (watched.ms / 1_000)
}

async function agesOf(child: ChildProcess, seeded: Seeded): Promise<Watched> {
  return watching(child, { items: sockets * perSecond * seconds, maxMs }, async () => {
    for (let line = 0; line < perSecond * seconds; line++) {
      await Promise.all([commit(seeded, 1), new Promise((next) => setTimeout(next, 1_000 / perSecond))])
    }
  })
}

async function watching(child: ChildProcess, plan: WatchPlan, work: () => Promise<unknown>): Promise<Watched> {
  const answer = <Message>(): Promise<Message> => new Promise((done) => child.once('message', (message) => done(message as Message)))
  const begun = answer()
  child.send(plan)
  await begun
  const watched = answer<Watched>()
  await work()
  return watched
}

async function commit({ url, projectId }: Seeded, count: number): Promise<void> {
  const world = worlds.get(url)
  if (!world) throw new Error('There is no world')
  const lines = Array.from({ length: count }, (_, n) => ({ name: `seen ${n}`, data: { at: Date.now(), plan: 'pro', orders: n } }))
  await logEvents(world, projectId, lines, new Date())
}

function rssOf({ pid }: ChildProcess): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }))
}
