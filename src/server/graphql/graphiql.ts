import type { IncomingMessage } from 'node:http'
import { callIn } from '../../kit/context.ts'
import type { PageAnswer } from '../../kit/html/page.ts'
import { recent } from '../../kit/recent.ts'
import { perWorld, type World } from '../../kit/world.ts'
import { getProjectKeys } from '../../modules/projects/projects.ts'
import { type Asset, createAsset, generatedAsset, unpacked, wantedBy } from '../assets.ts'

// The page may run its own scripts and call this server; it may load nothing from elsewhere.
const headers: Record<string, string> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'unsafe-inline' blob:; worker-src blob:; style-src 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  // The page may contain a key.
  'Cache-Control': 'no-store',
}

/** The project whose secret key GraphiQL opens with, for browsers on this machine; set at start when there is demo data. */
export const explorerProject = perWorld((): { id?: string } => ({}))

/** GraphiQL as one page, scripts and styles included, so that it works without Internet access. */
export async function graphiqlPage(world: World, request: IncomingMessage): Promise<PageAnswer> {
  const key = await keyFor(world, request)
  const asset = key ? opened(world).getOrMake(key, () => createAsset({ plain: () => pageWith(key) })) : page
  return asset.answer(wantedBy(request.headers), headers)
}

const page = generatedAsset('graphiql.html')
// Only with the key of one project, until that is replaced.
const opened = perWorld(() => recent<string, Asset>({ max: 1 }))

// The page contains the header once, as JSON inside JSON.
async function pageWith(key: string): Promise<Buffer<ArrayBuffer>> {
  const [before, after, more] = (await unpacked('graphiql.html')).toString('utf8').split('Bearer \\"')
  if (before === undefined || after === undefined || more !== undefined)
    throw new Error('The GraphiQL page does not contain the header Authorization exactly once')
  return Buffer.from(`${before}Bearer ${key}\\"${after}`)
}

// Never in production, never through a proxy, and only under a host name of this machine: another site's name may resolve to it.
async function keyFor(world: World, { headers: { host = '', ...given }, socket }: IncomingMessage): Promise<string> {
  const { id } = explorerProject(world)
  const local = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host) && /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? '')
  const forwarded = Object.keys(given).some((name) =>
    /^(x-forwarded-.*|x-real-ip|x-client-ip|true-client-ip|cf-.*|fly-.*|forwarded|via)$/.test(name),
  )
  const foreign = given['sec-fetch-site'] !== undefined && !['none', 'same-origin'].includes(String(given['sec-fetch-site']))
  if (world.config.production || !id || !local || forwarded || foreign || given.origin !== undefined) return ''
  return (await getProjectKeys(callIn(world, { projectId: id, actor: { kind: 'system' } }), { id })).secret
}
