// A process that watches the activity of a project over many websockets and counts what arrives.
import WebSocket from 'ws'

/** What the bench asks: how many items arrive until there are so many in all, or for so long. */
export interface WatchPlan {
  items: number
  maxMs: number
}

/** What has arrived: how long it took, and how old items were, in ms, when they arrived. */
export interface Watched {
  items: number
  ms: number
  p50: number
  p99: number
}

const [url = '', authorization = '', count = '0'] = process.argv.slice(2)
const query = 'subscription { activity { id type timestamp metadata } }'
const openAtOnce = 50

let items = 0
let ages: number[] = []
let enough: () => void = () => undefined
let wanted = Number.POSITIVE_INFINITY

for (let opened = 0; opened < Number(count); opened += openAtOnce)
  await Promise.all(Array.from({ length: Math.min(openAtOnce, Number(count) - opened) }, watch))
// What subscribes last has to join the end of the log.
await new Promise((next) => setTimeout(next, 2_000))
process.send?.('ready')

process.on('message', (plan: WatchPlan) => {
  items = 0
  ages = []
  wanted = plan.items
  const began = performance.now()
  const timer = setTimeout(() => enough(), plan.maxMs)
  enough = () => {
    clearTimeout(timer)
    const sorted = ages.toSorted((one, other) => one - other)
    const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
    enough = () => undefined
    process.send?.({ items, ms: performance.now() - began, p50: at(0.5), p99: at(0.99) } satisfies Watched)
  }
  process.send?.('watching')
})

async function watch(): Promise<void> {
  const socket = new WebSocket(url, 'graphql-transport-ws')
  await new Promise<void>((done, fail) => {
    socket.once('error', fail)
    socket.once('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } })))
    socket.on('message', (data: Buffer) => {
      const text = data.toString()
      if (text.includes('"connection_ack"')) {
        socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }))
        done()
      } else if (text.includes('"next"')) arrived(text)
    })
  })
}

function arrived(text: string): void {
  items++
  const at = /"at":(\d+)/.exec(text)?.[1]
  if (at !== undefined) ages.push(Date.now() - Number(at))
  if (items >= wanted) enough()
}
