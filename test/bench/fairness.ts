// Measures what a project notices of a neighbour that takes all it can get: p99 of POST /v1/track alone and beside it.
import pg from 'pg'
import { callIn } from '../../src/kit/context.ts'
import { trackEvent } from '../../src/modules/contacts/track.ts'
import { createProject } from '../../src/modules/projects/projects.ts'
import { freePort } from '../help/ports.ts'
import { size } from './flags.ts'
import { benchWorld, startBenchPostgres } from './postgres.ts'
import { end, helper, load, postwire } from './processes.ts'
import { type Figure, median, record } from './results.ts'

const rounds = size('rounds', 3)
const seconds = size('seconds', 8)
const rate = 100
const lockedMs = 5_000

await using open = new AsyncDisposableStack()
const postgres = open.adopt(await startBenchPostgres(), (it) => it.end())
const seeded = await postgres.seed('fairness')
const neighbours = await createNeighbours(8)
const port = await freePort()
open.adopt(await postwire(environment(port)), end)
const url = `http://127.0.0.1:${port}`
let from = 1

type Beside = (work: () => Promise<number>) => Promise<number>

const cases: [what: string, beside: Beside][] = [
  ['40 connections with bodies of 1 MB', besideLoad('large')],
  ['40 connections with 1 MB of data, refused', besideLoad('stored')],
  ['the same sent to a bare server in another process', besideLoad('stored', await elsewhere())],
  ['a contact locked for 5 s', besideLocks(1)],
  ['contacts of 8 projects locked for 5 s', besideLocks(neighbours.length)],
]
await p99()
const figures: Figure[] = []
for (const [what, beside] of cases) {
  const seen = { alone: [] as number[], beside: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    seen.alone.push(await p99())
    seen.beside.push(await beside(p99))
  }
  const [alone, disturbed] = [median(seen.alone), median(seen.beside)]
  figures.push({
    what: `p99 beside ${what}`,
    ours: `${disturbed.toFixed(1)} ms`,
    yardstick: `${alone.toFixed(1)} ms`,
    ratio: (alone / disturbed).toFixed(2),
    bar: what.includes('another process') ? '' : '≥ 0.33',
  })
}
await record(
  'fairness',
  'POST /v1/track beside a neighbour',
  `${rate} requests per second of one project arrive while other projects take all they can get. The yardstick is the same project alone; a neighbour whose calls go to a bare server in another process shows what the machine alone costs.`,
  figures,
  postgres.version,
)

function environment(port: number): Record<string, string> {
  return {
    DATABASE_URL: seeded.url,
    APP_SECRET: seeded.appSecret,
    PORT: String(port),
    ROLE: 'web',
    EMAIL_TRANSPORT: 'null',
    RATE_LIMIT_PER_MINUTE: '100000000',
  }
}

// Eight, so that the project that is measured shares its lane with some of them.
async function createNeighbours(count: number): Promise<{ id: string; authorization: string }[]> {
  const world = await benchWorld(seeded.url, seeded.appSecret)
  const made = await Promise.all(Array.from({ length: count }, () => createProject(callIn(world), { name: 'Neighbour' })))
  for (const { id } of made) {
    const ctx = callIn(world, { projectId: id, actor: { kind: 'system' } })
    for (let n = 0; n < 5; n++) await trackEvent(ctx, { email: `n${n}@example.test`, event: 'seen' })
  }
  await world.close()
  return made.map(({ id, secret }) => ({ id, authorization: `Bearer ${secret}` }))
}

async function p99(): Promise<number> {
  await postgres.checkpoint()
  const plan = { url, authorization: `Bearer ${seeded.secretKey}`, kind: 'track' as const, connections: 20, seconds, rate, from }
  const result = await load(plan)
  from += result.sent
  return result.p99
}

async function elsewhere(): Promise<string> {
  const free = await freePort()
  open.adopt(await helper('elsewhere.ts', [String(free)]), end)
  return `http://127.0.0.1:${free}`
}

function besideLoad(kind: string, to = url): Beside {
  return async (work) => {
    const neighbour = await helper('neighbour.ts', [to, neighbours[0]?.authorization ?? '', kind])
    const result = await work()
    await end(neighbour)
    return result
  }
}

// In the middle of the measurement, a contact of each of so many neighbours is locked, while they track events of it and of others.
function besideLocks(count: number): Beside {
  const disturbing = neighbours.slice(0, count)
  return async (work) => {
    const running = await Promise.all(disturbing.map(({ authorization }) => helper('neighbour.ts', [url, authorization, 'locked'])))
    const client = new pg.Client({ connectionString: seeded.url })
    await client.connect()
    const locked = pause(1_000).then(async () => {
      await client.query('begin')
      const ids = disturbing.map(({ id }) => id)
      await client.query(`select 1 from contacts where project_id = any($1) and email = 'n0@example.test' for update`, [ids])
      await pause(lockedMs)
      await client.query('rollback')
    })
    const result = await work()
    await locked
    await client.end()
    await Promise.all(running.map(end))
    return result
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((next) => setTimeout(next, ms))
}
