import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { renderGraphiQL } from '@graphql-yoga/render-graphiql'
import { callIn } from '../../kit/context.ts'
import { perWorld, type World } from '../../kit/world.ts'
import { getProjectKeys } from '../../modules/projects/projects.ts'

const query = `query FirstLook {
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
  // It may carry a key.
  'Cache-Control': 'no-store',
}

interface Drawn {
  key: string
  plain: Buffer
  packed: Buffer
}

let drawn: Drawn | undefined

/** The project whose secret key GraphiQL opens with, for who looks from this machine; set at start where there is demo data. */
export const explorerProject = perWorld((): { id?: string } => ({}))

/** Answers with GraphiQL in one page, scripts and styles included, so that it works without the Internet. */
export async function answerGraphiql(world: World, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const page = draw(await keyFor(world, req))
  if (!String(req.headers['accept-encoding']).includes('gzip')) return void res.writeHead(200, headers).end(page.plain)
  res.writeHead(200, { ...headers, 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' }).end(page.packed)
}

// Never in production, never through a proxy, and only under a name of this machine: another site may resolve to it.
async function keyFor(world: World, { headers: { host = '', ...given }, socket }: IncomingMessage): Promise<string> {
  const { id } = explorerProject(world)
  const local = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host) && /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? '')
  const forwarded = Object.keys(given).some((name) => name.startsWith('x-forwarded-') || name === 'forwarded' || name === 'via')
  if (world.config.production || !id || !local || forwarded) return ''
  return (await getProjectKeys(callIn(world, { projectId: id, actor: { kind: 'system' } }), { id })).secret
}

function draw(key: string): Drawn {
  if (drawn?.key === key) return drawn
  const page = renderGraphiQL({
    title: 'Postwire GraphiQL',
    endpoint: '/graphql',
    defaultQuery: key
      ? query
      : `# Write the secret key of your project (sk_...) behind "Bearer " in the headers below, then press play.\n\n${query}`,
    headers: JSON.stringify({ Authorization: `Bearer ${key}` }, null, 2),
    defaultEditorToolsVisibility: 'headers',
    shouldPersistHeaders: false,
    subscriptionsProtocol: 'SSE',
  })
  const plain = Buffer.from(page)
  drawn = { key, plain, packed: gzipSync(plain) }
  return drawn
}
