import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { renderGraphiQL } from '@graphql-yoga/render-graphiql'

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
export function answerGraphiql(req: IncomingMessage, res: ServerResponse): void {
  plain ??= Buffer.from(draw())
  if (!String(req.headers['accept-encoding']).includes('gzip')) return void res.writeHead(200, headers).end(plain)
  packed ??= gzipSync(plain)
  res.writeHead(200, { ...headers, 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' }).end(packed)
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
