import { get } from 'node:http'
import { expect, test } from 'vitest'
import { isOwnOrigin, isTrustedHost } from '../../../../src/modules/auth/calls/origin.ts'
import { testServer } from '../../../help/server.ts'

const { url, world } = await testServer({ env: { DASHBOARD_ORIGINS: 'https://app.example.com', EMAIL_TRANSPORT: 'capture' } })
const installation = { config: world.config, publicUrl: 'https://mail.example.com' }

test.each([
  ['mail.example.com', true],
  ['app.example.com:8443', true],
  ['localhost:8080', true],
  ['demo.localhost', true],
  ['127.0.0.1:8080', true],
  ['[::1]:8080', true],
  ['192.168.1.7', true],
  ['attacker.example:8080', false],
  ['mail.example.com.attacker.example', false],
  ['localhost.attacker.example', false],
  ['a b', false],
])('the host %s is trusted: %s', (host, trusted) => {
  expect(isTrustedHost(installation, host)).toBe(trusted)
  expect(isOwnOrigin(installation, `http://${host.replace(' ', '')}`, host)).toBe(trusted)
})

// As a page sends it whose name was made to resolve to this machine.
function answerTo(path: string, host: string): Promise<number> {
  const { port } = new URL(url)
  return new Promise((resolve, reject) => {
    const headers = { host: `${host}:${port}`, origin: `http://${host}:${port}`, 'sec-fetch-site': 'same-origin' }
    get({ host: '127.0.0.1', port, path, headers }, (answer) => resolve(answer.resume().statusCode ?? 0)).on('error', reject)
  })
}

test('a page under a name that only resolves to this machine reads no captured email', async () => {
  for (const path of ['/mailbox', '/mailbox/empty', '/mailbox/cap_x/body'])
    expect([path, await answerTo(path, 'attacker.example')]).toEqual([path, 403])
  expect(await answerTo('/mailbox', 'localhost')).toBe(200)
})
