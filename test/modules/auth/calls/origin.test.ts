import { get } from 'node:http'
import { describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { isOwnOrigin, isTrustedHost } from '../../../../src/modules/auth/calls/origin.ts'
import { testServer } from '../../../help/server.ts'

const { url, world } = await testServer({
  env: { DASHBOARD_ORIGINS: 'https://app.example.com', EMAIL_TRANSPORT: 'capture', ALLOWED_HOSTS: 'staging.example.com, other.example' },
})
const installation = { config: { ...world.config, ALLOWED_HOSTS: ['staging.example.com'] }, publicUrl: 'https://mail.example.com' }

test.each([
  ['mail.example.com', true],
  ['app.example.com:8443', true],
  ['staging.example.com:8080', true],
  ['localhost:8080', true],
  ['demo.localhost', true],
  ['127.0.0.1:8080', true],
  ['[::1]:8080', true],
  ['192.168.1.7', true],
  ['attacker.example:8080', false],
  ['mail.example.com.attacker.example', false],
  ['localhost.attacker.example', false],
  ['notlocalhost', false],
  ['a b', false],
  ['x@localhost', false],
  ['attacker.example@localhost:8080', false],
  ['localhost/x', false],
  ['localhost?x', false],
  ['localhost#x', false],
  ['localhost\\x', false],
  ['localhost:80:80', false],
])('the host %s is trusted: %s', (host, trusted) => {
  expect(isTrustedHost(installation, host)).toBe(trusted)
  const scheme = host.startsWith('mail.') || host.startsWith('app.') ? 'https' : 'http'
  expect(isOwnOrigin(installation, { origin: `${scheme}://${host.replace(' ', '')}`, host })).toBe(trusted)
})

test.each([
  ['https://mail.example.com', 'mail.example.com', 'http', true],
  ['http://mail.example.com', 'mail.example.com', 'http', false],
  ['https://mail.example.com:8443', 'mail.example.com', 'https', false],
  ['https://mail.example.com:8443', 'mail.example.com:8443', 'http', true],
  ['http://app.example.com', 'app.example.com', 'http', false],
  ['http://localhost:8080', 'localhost:8080', 'http', true],
  ['https://localhost:8080', 'localhost:8080', 'http', false],
  ['http://localhost:3000', 'localhost:8080', 'http', false],
  ['https://192.168.1.7', '192.168.1.7', 'https', true],
  ['http://192.168.1.7', '192.168.1.7', 'https', false],
  ['http://127.0.0.1', '127.0.0.1:80', 'http', true],
  ['null', 'localhost:8080', 'http', false],
] as const)('pages of %s may use the cookie of %s, called with %s: %s', (origin, host, scheme, own) => {
  expect(isOwnOrigin(installation, { origin, host, scheme })).toBe(own)
})

interface Got {
  status: number
  allowed: string | undefined
  text: string
}

// With any Host, which fetch() does not allow.
function ask(path: string, host: string, headers: Record<string, string> = {}, at = url): Promise<Got> {
  const { port } = new URL(at)
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers: { host: host.replace('PORT', port), ...headers } }, async (answer) => {
      const text = (await answer.setEncoding('utf8').toArray()).join('')
      resolve({ status: answer.statusCode ?? 0, allowed: answer.headers['access-control-allow-origin'], text })
    }).on('error', reject)
  })
}

// As a page sends it whose name was made to resolve to this machine.
const rebound = (path: string, host: string) => ask(path, host, { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })

describe('outside production', () => {
  test('a page under a name that only resolves to this machine reads nothing', async () => {
    for (const path of ['/mailbox', '/mailbox/empty', '/mailbox/cap_x/body', '/graphql', '/config', '/v1/track'])
      expect([path, (await rebound(path, 'attacker.example:PORT')).status]).toEqual([path, 403])
    const { text } = await ask('/config', 'attacker.example')
    expect(JSON.parse(text)).toMatchObject({
      success: false,
      error: { code: 'FORBIDDEN', suggestion: expect.stringContaining('ALLOWED_HOSTS') },
    })
  })

  test.each(['localhost:PORT', 'demo.localhost', '127.0.0.1:PORT', '[::1]:PORT', 'app.example.com', 'Staging.Example.com:PORT'])(
    '%s is answered',
    async (host) => {
      expect((await ask('/mailbox', host)).status).toBe(200)
    },
  )

  test('a websocket to another name is refused', async () => {
    const open = (host: string) =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { headers: { host } })
        socket.once('unexpected-response', (_request, { statusCode }) => resolve(statusCode)).once('error', reject)
        socket.once('open', () => {
          socket.terminate()
          resolve('open')
        })
      })
    expect([await open('attacker.example'), await open('localhost')]).toEqual([403, 'open'])
  })
})

test('in production any name is answered, but only pages of our own may read the answer', async () => {
  const env = {
    NODE_ENV: 'production',
    APP_SECRET: 'x'.repeat(32),
    ALLOW_CAPTURE: 'true',
    PUBLIC_URL: 'https://post.example.com',
    HOST: '127.0.0.1',
  }
  const production = await testServer({ env })
  const from = async (origin: string) => (await ask('/config', 'post.example.com', { origin }, production.url)).allowed
  expect(await from('https://post.example.com')).toBe('https://post.example.com')
  expect(await from('http://post.example.com')).toBeUndefined()
  expect(await from('https://post.example.com:8443')).toBeUndefined()
  expect((await ask('/healthz', 'pod-7.internal', {}, production.url)).status).toBe(200)
  expect((await ask('/mailbox', 'pod-7.internal', {}, production.url)).status).toBe(403)
})
