// The yardstick of the live stream: graphql-ws as its manual says, executing each item for each subscriber.
import { createServer } from 'node:http'
import { buildSchema } from 'graphql'
import { useServer } from 'graphql-ws/use/ws'
import pg from 'pg'
import { WebSocketServer } from 'ws'

const [databaseUrl = '', port = '0'] = process.argv.slice(2)
const pollMs = 5

const schema = buildSchema(`
  scalar JSON
  scalar DateTime
  type Activity { id: ID! type: String! timestamp: DateTime! metadata: JSON! }
  type Query { ok: Boolean }
  type Subscription { activity: Activity! }
`)

interface Line {
  id: string
  name: string
  data: unknown
  created_at: Date
}

type Item = { activity: { id: string; type: string; timestamp: Date; metadata: unknown } }
const subscribers = new Set<(item: Item) => void>()

async function* activity(): AsyncGenerator<Item, void> {
  const waiting: Item[] = []
  let wake: () => void = () => undefined
  const take = (item: Item): void => {
    waiting.push(item)
    wake()
  }
  subscribers.add(take)
  try {
    for (;;) {
      const next = waiting.shift()
      if (next) yield next
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  } finally {
    subscribers.delete(take)
  }
}

const server = createServer()
useServer({ schema, roots: { subscription: { activity } } }, new WebSocketServer({ server, path: '/graphql' }))
await new Promise<void>((done) => server.listen(Number(port), '127.0.0.1', done))

const client = new pg.Client({ connectionString: databaseUrl })
await client.connect()
let last = ''
process.send?.('ready')
for (;;) {
  const { rows } = await client.query<Line>('select id, name, data, created_at from events where id > $1 order by id limit 500', [last])
  last = rows.at(-1)?.id ?? last
  for (const { id, name, data, created_at } of rows) {
    const item = { activity: { id, type: 'event.triggered', timestamp: created_at, metadata: { eventName: name, eventData: data } } }
    for (const take of subscribers) take(item)
  }
  if (rows.length === 0) await new Promise((next) => setTimeout(next, pollMs))
}
