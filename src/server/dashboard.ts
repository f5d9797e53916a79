import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Ctx } from '../kit/context.ts'
import { dashboardFolder, hasDashboard } from '../kit/dashboard.ts'
import { Failure } from '../kit/errors.ts'
import type { HostedPage, PageAnswer, PageRequest } from '../kit/html/page.ts'
import type { World } from '../kit/world.ts'
import { type Asset, createAsset, wantedBy } from './assets.ts'

/**
 * The dashboard at /app/: the files that `npm run generate` has built. Names of assets contain a hash of their content, so browsers
 * keep them for ever, and this process from when one is first asked for; every other address below /app/ is a page of the dashboard,
 * which its script shows. The pages have a few hundred bytes and are read from disk, because a build replaces them.
 */
export const pages: HostedPage[] = [
  { method: 'GET', path: '/app/assets/:file', handle: showAsset },
  { method: 'GET', path: '/app/frame.html', handle: showFrame },
  { method: 'GET', path: '/app/frame.js', handle: async ({ world }, { headers }) => show(world, 'frame.js', headers, frameScript) },
  { method: 'GET', path: '/app/*', handle: showPage },
]

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

async function showAsset({ world }: Ctx, { params: { file = '' }, headers }: PageRequest): Promise<PageAnswer> {
  const type = types[extname(file)]
  if (type === undefined || !/^[\w.-]+$/.test(file)) throw missing()
  return show(world, `assets/${file}`, headers, { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' })
}

// No script or style in the page itself, and nothing from other sites. The sockets of this site are named for browsers in which
// 'self' does not include them.
async function showPage({ world }: Ctx, { headers }: PageRequest): Promise<PageAnswer> {
  const sockets = new URL(world.publicUrl).origin.replace(/^http/, 'ws')
  const policy = [
    "default-src 'self'",
    `connect-src 'self' ${sockets}`,
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
  return show(world, 'index.html', headers, {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': policy.join('; '),
    'X-Frame-Options': 'DENY',
  })
}

// Shows the HTML of emails, which has inline styles: with an origin of its own, with no script but that of the frame,
// and with pictures of other sites only where they were asked for.
async function showFrame({ world }: Ctx, { headers, query }: PageRequest): Promise<PageAnswer> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    `img-src data:${query.images === '1' ? ' http: https:' : ''}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox',
  ]
  return show(world, 'frame.html', headers, {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': policy.join('; '),
  })
}

const frameScript = { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-cache' }

async function show(world: World, name: string, requested: Record<string, string>, headers: Record<string, string>): Promise<PageAnswer> {
  if (!hasDashboard(world)) throw absent(world)
  const asset = held.get(name) ?? fileAsset(name)
  const answer = await asset.answer(wantedBy(requested), headers).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? missing() : error
  })
  if (name.startsWith('assets/')) held.set(name, asset)
  return answer
}

// Only files that exist are held: as many as were built.
const held = new Map<string, Asset>()

function fileAsset(name: string): Asset {
  const read = (file: string) => () => readFile(new URL(file, dashboardFolder))
  return createAsset({ br: read(`${name}.br`), gzip: read(`${name}.gz`), plain: read(name) })
}

function absent({ config }: World): Failure {
  return config.DASHBOARD
    ? new Failure('UNKNOWN_ROUTE', 'The dashboard is not built.', {
        suggestion: 'Install with development packages (npm ci), or copy src/generated from such an install.',
      })
    : new Failure('UNKNOWN_ROUTE', 'This installation has no dashboard: DASHBOARD is off.')
}

function missing(): Failure {
  return new Failure('UNKNOWN_ROUTE', 'The dashboard has no such file.', { suggestion: 'Reload the page: it may be of an older version.' })
}
