import type { ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createDns } from '../../src/kit/dns.ts'
import { createOutbound, OutboundError } from '../../src/kit/outbound.ts'
import { certificate } from '../help/certificates.ts'
import { testDns } from '../help/dns.ts'

const name = 'receiver.example'
const { pem, key } = certificate(name)
let answer: (response: ServerResponse) => void = (response) => response.end('hello')
let requests = 0
const server: Server = createServer({ cert: pem, key: key.export({ type: 'pkcs8', format: 'pem' }) }, (_request, response) => {
  requests++
  answer(response)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
const { port } = server.address() as AddressInfo

const zone = await testDns()
const dns = createDns([zone.address])
const limits = { maxBytes: 1_000, timeoutMs: 2_000 }
const local = createOutbound(dns, { allows: (address) => address === '127.0.0.1', ca: pem })
const strict = createOutbound(dns, { ca: pem })
const reason = (work: Promise<Buffer>): Promise<string> =>
  work.then(
    () => 'fetched',
    (error: unknown) => (error instanceof OutboundError ? error.kind : String(error)),
  )

beforeEach(() => {
  requests = 0
  answer = (response) => response.end('hello')
  zone.set(name, { type: 'A', value: '127.0.0.1' })
})

test('fetches over https from the address that the name has, whose certificate must be that of the name', async () => {
  expect((await local.get(`https://${name}:${port}/x`, limits)).toString()).toBe('hello')
  zone.set('other.example', { type: 'A', value: '127.0.0.1' })
  expect(await reason(local.get(`https://other.example:${port}/x`, limits))).toBe('unavailable')
  expect(requests).toBe(1)
})

test.each([
  ['a redirect', 302, 'refused'],
  ['what does not exist', 404, 'refused'],
  ['an error of the server', 500, 'unavailable'],
])('does not follow %s', async (_what, status, expected) => {
  answer = (response) => response.writeHead(status, { location: `https://${name}:${port}/secret` }).end('x')
  expect(await reason(local.get(`https://${name}:${port}/`, limits))).toBe(expected)
  expect(requests).toBe(1)
})

test('reads no more than the limits of size and time', async () => {
  answer = (response) => response.end('x'.repeat(1_001))
  expect(await reason(local.get(`https://${name}:${port}/`, limits))).toBe('refused')
  answer = (response) => void response.writeHead(200).write('x')
  expect(await reason(local.get(`https://${name}:${port}/`, { ...limits, timeoutMs: 300 }))).toBe('unavailable')
  answer = () => undefined
  expect(await reason(local.get(`https://${name}:${port}/`, { ...limits, timeoutMs: 300 }))).toBe('unavailable')
  answer = (response) => {
    response.writeHead(200, { 'content-length': '10' }).write('x')
    response.destroy()
  }
  expect(await reason(local.get(`https://${name}:${port}/`, limits))).toBe('unavailable')
})

test.each([
  `http://${name}/`,
  `https://user:password@${name}/`,
  'file:///etc/passwd',
  'x',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f.0.0.1/',
  'https://0/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://168.63.129.16/machine?comp=goalstate',
  'https://100.64.0.1/',
  'https://255.255.255.255/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:a00:1]/',
  'https://[::127.0.0.1]/',
  'https://[fe80::1]/',
  'https://[fc00::1]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001::7f00:1]/',
])('%s is not fetched', async (url) => {
  expect(await reason(strict.get(url, limits))).toBe('forbidden')
})

test.each([
  ['A', '127.0.0.1'],
  ['A', '10.1.2.3'],
  ['AAAA', '::1'],
  ['AAAA', '::ffff:192.168.0.1'],
] as const)('a name with a private address (%s %s) is not fetched, also beside a public one', async (type, value) => {
  zone.set(name, { type, value })
  expect(await reason(strict.get(`https://${name}:${port}/`, limits))).toBe('forbidden')
  zone.set(name, { type: 'A', value: '1.1.1.1' }, { type, value })
  expect(await reason(strict.get(`https://${name}:${port}/`, limits))).toBe('forbidden')
  expect(requests).toBe(0)
})

test('a name is looked up once, so that it cannot lead elsewhere after it was checked', async () => {
  zone.questions.length = 0
  await local.get(`https://${name}:${port}/`, limits)
  expect(zone.questions.filter((question) => question === `A ${name}`)).toHaveLength(1)
})

test('a name without an address is unavailable', async () => {
  zone.remove(name)
  expect(await reason(strict.get(`https://${name}/`, limits))).toBe('unavailable')
})
