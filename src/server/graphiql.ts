import type { IncomingMessage, ServerResponse } from 'node:http'
import { readAsset } from './assets.ts'

// It may run what it carries and call this server, and load nothing from anywhere else.
const headers: Record<string, string> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'unsafe-inline' blob:; worker-src blob:; style-src 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-cache',
}

/** Answers with GraphiQL in one page, scripts and styles included, so that it works without the Internet. */
export async function answerGraphiql(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const page = await readAsset('graphiql.html', req.headers['accept-encoding'])
  res.writeHead(200, { ...headers, ...page.headers }).end(page.body)
}
