import { gzipSync } from 'node:zlib'
import { renderGraphiQL } from '@graphql-yoga/render-graphiql'
import type { Arrival } from '../http.ts'
import { reply } from '../replies.ts'

const welcome = `# Welcome to Postwire. Write the secret key of your project (sk_...) behind "Bearer "
# in the headers below, then press play.

query FirstLook {
  project {
    id
    name
  }
  contacts(first: 5) {
    totalCount
    nodes {
      id
      email
      subscribed
    }
  }
}
`

// It may run what it carries and call this server, and load nothing from anywhere else.
const headers: Record<string, string> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'unsafe-inline' blob:; worker-src blob:; style-src 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-cache',
}

let plain: Buffer | undefined
let packed: Buffer | undefined

/** Answers with GraphiQL in one page, scripts and styles included, so that it works without the Internet. */
export function answerGraphiql(arrival: Arrival): void {
  const gzip = String(arrival.request.headers['accept-encoding']).includes('gzip')
  plain ??= Buffer.from(draw())
  if (gzip) packed ??= gzipSync(plain)
  const own = { ...headers, Vary: 'Accept-Encoding', ...(gzip && { 'Content-Encoding': 'gzip' }) }
  reply(arrival, { status: 200, headers: own, body: gzip ? packed : plain })
}

function draw(): string {
  return renderGraphiQL({
    title: 'Postwire GraphiQL',
    endpoint: '/graphql',
    defaultQuery: welcome,
    headers: JSON.stringify({ Authorization: 'Bearer ' }, null, 2),
    defaultEditorToolsVisibility: 'headers',
    shouldPersistHeaders: false,
    subscriptionsProtocol: 'SSE',
  })
}
