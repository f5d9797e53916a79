// The load generator: a separate process that receives plans over IPC and returns one result per plan.
import { Agent, request } from 'node:http'
import autocannon from 'autocannon'
import { type Kind, payload } from './payloads.ts'

/** A request that is sent as it is. */
export interface Ask {
  method: 'GET' | 'POST'
  path: string
  body?: string
}

/** One run of load against one server. With `rate` it is open-loop: that many requests per second, however slow the answers are. */
export interface LoadPlan {
  url: string
  /** Of which kind the requests are, or in a closed loop the requests themselves, sent one after the other by each connection. */
  kind: Kind | readonly Ask[]
  authorization: string
  connections: number
  seconds: number
  rate?: number
  /** Each request has an Idempotency-Key of its own; in a closed loop only. */
  keyed?: boolean
  /** Number of the first request. */
  from: number
}

/** The result of a run. Latencies are in ms; in an open loop they count from the moment a request was due. */
export interface LoadResult {
  requestsPerSecond: number
  p50: number
  p99: number
  /** Answers other than 2xx and requests without an answer. */
  failures: number
  sent: number
}

process.on('message', async (plan: LoadPlan) => {
  process.send?.(plan.rate === undefined ? await closedLoop(plan) : await openLoop(plan, plan.rate))
})

async function closedLoop({ url, kind, authorization, connections, seconds, from, keyed }: LoadPlan): Promise<LoadResult> {
  let n = from
  const headers = { authorization, 'content-type': 'application/json' }
  const written = (of: Kind): autocannon.Request => ({
    method: 'POST',
    path: `/v1/${of}`,
    headers,
    setupRequest: (one) => ({
      ...one,
      ...(keyed && { headers: { ...headers, 'idempotency-key': `${of} ${n}` } }),
      body: payload(of, n++),
    }),
  })
  const requests = typeof kind === 'string' ? [written(kind)] : kind.map((ask) => ({ ...ask, headers }))
  const result = await autocannon({ url, connections, duration: seconds, requests })
  return {
    requestsPerSecond: result['2xx'] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failures: result.non2xx + result.errors,
    sent: typeof kind === 'string' ? n - from : result.requests.sent,
  }
}

async function openLoop({ url, kind, authorization, connections, seconds, from }: LoadPlan, rate: number): Promise<LoadResult> {
  if (typeof kind !== 'string') throw new Error('An open loop sends requests of a kind')
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const took: number[] = []
  const begin = performance.now()
  const total = rate * seconds
  let failures = 0
  const one = (n: number, due: number): Promise<void> =>
    new Promise((done) => {
      const headers = { authorization, 'content-type': 'application/json' }
      const ask = request(`${url}/v1/${kind}`, { agent, method: 'POST', headers }, (answer) => {
        if (answer.statusCode !== 200) failures++
        answer.resume().once('end', () => {
          took.push(performance.now() - due)
          done()
        })
      })
      ask.once('error', () => {
        failures++
        done()
      })
      ask.end(payload(kind, n))
    })
  const open: Promise<void>[] = []
  for (let n = 0; n < total; ) {
    const dueNow = Math.min(total, Math.floor(((performance.now() - begin) * rate) / 1000) + 1)
    for (; n < dueNow; n++) open.push(one(from + n, begin + (n * 1000) / rate))
    await new Promise((next) => setTimeout(next, 1))
  }
  await Promise.all(open)
  agent.destroy()
  took.sort((a, b) => a - b)
  const at = (share: number): number => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? Number.NaN
  return { requestsPerSecond: took.length / ((performance.now() - begin) / 1000), p50: at(0.5), p99: at(0.99), failures, sent: total }
}
