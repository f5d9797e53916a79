import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Ctx } from '../kit/context.ts'
import { dashboardFolder, hasDashboard } from '../kit/dashboard.ts'
import { Failure } from '../kit/errors.ts'
import type { HostedPage, PageAnswer, PageRequest } from '../kit/html/page.ts'
import type { World } from '../kit/world.ts'

/**
 * The dashboard at /app/, from disk: the files that `npm run generate` has built. Names of assets contain a hash of their content,
 * so browsers keep them for ever; every other address below /app/ is a page of the dashboard, which its script shows.
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

async function show(
  world: World,
  name: string,
  { 'accept-encoding': accepted = '' }: Record<string, string>,
  headers: Record<string, string>,
): Promise<PageAnswer> {
  if (!hasDashboard(world)) throw absent(world)
  const coding = ['br', 'gzip'].find((one) => accepts(accepted, one))
  const file = coding === undefined ? name : `${name}.${coding === 'br' ? 'br' : 'gz'}`
  const body = await readFile(new URL(file, dashboardFolder)).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? missing() : error
  })
  // Written after the other headers: it says what the answer depends on, with CORS headers or without.
  const vary = { Vary: 'Accept-Encoding, Origin' }
  return { status: 200, headers: { ...headers, ...vary, ...(coding && { 'Content-Encoding': coding }) }, body }
}

// RFC 9110, 12.5.3: a coding with the weight 0 is not accepted.
function accepts(accepted: string, coding: string): boolean {
  const named = accepted.split(',').find((one) => one.trim().split(';')[0]?.trim().toLowerCase() === coding)
  return named !== undefined && !/;\s*q=0(\.0*)?\s*$/.test(named)
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
