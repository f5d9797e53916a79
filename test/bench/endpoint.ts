import { freePort } from '../help/ports.ts'
import { size } from './flags.ts'
import type { LoadPlan, LoadResult } from './load.ts'
import type { Kind } from './payloads.ts'
import { type BenchPostgres, type Seeded, startBenchPostgres } from './postgres.ts'
import { end, helper, load, postwire } from './processes.ts'
import { type Figure, median } from './results.ts'

interface Server {
  url: string
  authorization: string
}

/** The targets of an endpoint: the closed-loop ratio and, optionally, open-loop latencies in ms. */
export interface EndpointBars {
  ratio: number
  p50?: number
  p99?: number
}

const openRate = 300
const openConnections = 20
const keyedConnections = 50
const warmUpSeconds = 3

/** Measures `POST /v1/track` or `/v1/send` against bare node:http and pg. Flags: --seconds, --rounds. */
export async function measureEndpoint(kind: Kind, bars: EndpointBars): Promise<{ figures: Figure[]; postgres: string }> {
  await using open = new AsyncDisposableStack()
  const postgres = open.adopt(await startBenchPostgres(), (it) => it.end())
  const [seededOurs, seededBare] = [await postgres.seed('ours'), await postgres.seed('bare')]
  const [ourPort, barePort] = [await freePort(), await freePort()]
  open.adopt(await postwire(environment(seededOurs, ourPort)), end)
  open.adopt(await helper('yardstick.ts', [seededBare.url, String(barePort), seededBare.projectId]), end)
  const ours = { url: `http://127.0.0.1:${ourPort}`, authorization: `Bearer ${seededOurs.secretKey}` }
  const bare = { url: `http://127.0.0.1:${barePort}`, authorization: 'none' }
  const run = runs(postgres, kind)
  const figures: Figure[] = []
  for (const connections of [20, 100]) figures.push(...(await throughput(run, ours, bare, connections, bars)))
  figures.push(await keys(run, ours))
  figures.push(...(await latency(run, ours, bare, bars)))
  return { figures, postgres: postgres.version }
}

function environment({ url, appSecret }: Seeded, port: number): Record<string, string> {
  return {
    DATABASE_URL: url,
    APP_SECRET: appSecret,
    PORT: String(port),
    ROLE: 'web',
    EMAIL_TRANSPORT: 'null',
    RATE_LIMIT_PER_MINUTE: '100000000',
  }
}

type Run = (server: Server, connections: number, seconds: number, how?: Pick<LoadPlan, 'rate' | 'keyed'>) => Promise<LoadResult>

function runs(postgres: BenchPostgres, kind: Kind): Run {
  let from = 1
  return async (server, connections, seconds, how) => {
    await postgres.checkpoint()
    const result = await load({ ...server, kind, connections, seconds, from, ...how })
    from += result.sent
    return result
  }
}

// The two run alternately, so that a slow period of the machine affects both.
async function throughput(run: Run, ours: Server, bare: Server, connections: number, bars: EndpointBars): Promise<Figure[]> {
  const seen: { ours: LoadResult[]; bare: LoadResult[] } = { ours: [], bare: [] }
  await run(bare, connections, warmUpSeconds)
  await run(ours, connections, warmUpSeconds)
  for (let round = 0; round < size('rounds', 3); round++) {
    seen.bare.push(await run(bare, connections, size('seconds', 6)))
    seen.ours.push(await run(ours, connections, size('seconds', 6)))
  }
  const [mine, theirs] = [
    median(seen.ours.map(({ requestsPerSecond }) => requestsPerSecond)),
    median(seen.bare.map(({ requestsPerSecond }) => requestsPerSecond)),
  ]
  const [myTail, theirTail] = [median(seen.ours.map(({ p99 }) => p99)), median(seen.bare.map(({ p99 }) => p99))]
  return [
    {
      what: `${connections} connections, requests/s`,
      ours: mine.toFixed(0),
      yardstick: theirs.toFixed(0),
      ratio: (mine / theirs).toFixed(2),
      bar: `≥ ${bars.ratio}`,
    },
    {
      what: `${connections} connections, p99`,
      ours: `${myTail} ms`,
      yardstick: `${theirTail} ms`,
      ratio: (theirTail / myTail).toFixed(2),
      bar: 'not worse',
    },
  ]
}

// What an Idempotency-Key costs: the yardstick is the same call without one.
async function keys(run: Run, ours: Server): Promise<Figure> {
  const seen = { keyed: [] as number[], plain: [] as number[] }
  for (let round = 0; round < size('rounds', 3); round++) {
    seen.plain.push((await run(ours, keyedConnections, size('seconds', 6))).requestsPerSecond)
    seen.keyed.push((await run(ours, keyedConnections, size('seconds', 6), { keyed: true })).requestsPerSecond)
  }
  const [keyed, plain] = [median(seen.keyed), median(seen.plain)]
  return {
    what: `${keyedConnections} connections with keys, requests/s`,
    ours: keyed.toFixed(0),
    yardstick: `${plain.toFixed(0)} without`,
    ratio: (keyed / plain).toFixed(2),
    bar: '≥ 0.6',
  }
}

async function latency(run: Run, ours: Server, bare: Server, bars: EndpointBars): Promise<Figure[]> {
  const seconds = size('seconds', 6) * 2
  const theirs = await run(bare, openConnections, seconds, { rate: openRate })
  const mine = await run(ours, openConnections, seconds, { rate: openRate })
  return (['p50', 'p99'] as const).map((which) => ({
    what: `${openRate} requests/s arriving, ${which}`,
    ours: `${mine[which].toFixed(1)} ms`,
    yardstick: `${theirs[which].toFixed(1)} ms`,
    ratio: (theirs[which] / mine[which]).toFixed(2),
    bar: bars[which] === undefined ? '' : `≤ ${bars[which]} ms`,
  }))
}
