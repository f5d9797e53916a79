import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { dashboardFolder } from '../../src/kit/dashboard.ts'
import { testServer } from '../help/server.ts'

const { url, call } = await testServer()
const browser = { accept: 'text/html,application/xhtml+xml' }
const script = readdirSync(new URL('assets/', dashboardFolder)).find((name) => /^index-.*\.js$/.test(name)) ?? ''

// fetch decompresses by itself.
function raw(path: string, encoding: string): Promise<{ headers: Record<string, unknown>; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const asked = request(url + path, { headers: { 'accept-encoding': encoding } }, async (answer) => {
      resolve({ headers: answer.headers, body: Buffer.concat(await answer.toArray()) })
    })
    asked.on('error', reject).end()
  })
}

test('every address below /app/ is the page of the dashboard, which may load nothing from elsewhere and is not cached', async () => {
  for (const path of ['/app', '/app/', '/app/sign-in', '/app/prj_x/emails/eml_y?tab=html']) {
    const { status, body, headers } = await call(`GET ${path}`)
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, 'text/html; charset=utf-8', 'no-cache'])
    expect(body).toContain(`/app/assets/${script}`)
    const policy = headers.get('content-security-policy')
    expect(policy).toContain("default-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
})

test('the page contains no script and no style of its own', async () => {
  const { body } = await call('GET /app/')
  expect(body).not.toMatch(/<style|style=|<script(?![^>]*\bsrc=)/)
})

test('assets are cached for ever, and compressed as the browser accepts it', async () => {
  const plain = readFileSync(new URL(`assets/${script}`, dashboardFolder))
  const identity = await raw(`/app/assets/${script}`, 'identity')
  expect(identity.body.equals(plain)).toBe(true)
  expect(identity.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding, Origin',
  })
  const brotli = await raw(`/app/assets/${script}`, 'gzip, deflate, br')
  expect(brotli.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(brotli.body).equals(plain)).toBe(true)
  const gzip = await raw(`/app/assets/${script}`, 'gzip, br;q=0')
  expect(gzip.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(gzip.body).equals(plain)).toBe(true)
})

test('nothing but the built files is served', async () => {
  const paths = ['missing.js', 'index.html', `..%2findex.html`, '..%2f..%2fprisma%2fclient.js', `${script}.map`, '%2e%2e%2findex.js', '.js']
  for (const path of paths) {
    const { status, body } = await call(`GET /app/assets/${path}`)
    expect([path, status, body.error.message]).toEqual([path, 404, 'The dashboard has no such file.'])
  }
})

test('the frame of emails has an origin of its own, and runs no script but its own', async () => {
  const { headers } = await call('GET /app/frame.html')
  const policy = headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'; script-src 'self'")
  expect(policy).toContain('sandbox allow-scripts')
  expect(policy).not.toContain('allow-same-origin')
  expect((await call('GET /app/frame.js')).headers.get('content-type')).toBe('text/javascript; charset=utf-8')
})

test('a browser that opens / is led to the dashboard, with what the address says besides; a program is not', async () => {
  const led = await call('GET /?project=prj_x&checkout=success', undefined, { headers: browser })
  expect([led.status, led.headers.get('location')]).toEqual([302, '/app/?project=prj_x&checkout=success'])
  expect((await call('GET /', undefined, { headers: browser })).headers.get('location')).toBe('/app/')
  expect((await call('GET /')).status).toBe(200)
})

test('with DASHBOARD=false there is none, and / stays as it is', async () => {
  const without = await testServer({ env: { DASHBOARD: 'false' } })
  for (const path of ['/app/', '/app/sign-in', `/app/assets/${script}`, '/app/frame.html']) {
    const { status, body } = await without.call(`GET ${path}`)
    expect([status, body.error.message]).toEqual([404, 'This installation has no dashboard: DASHBOARD is off.'])
  }
  expect((await without.call('GET /', undefined, { headers: browser })).status).toBe(200)
})
