import type { ServerResponse } from 'node:http'
import { beforeEach, describe, expect, test } from 'vitest'
import { createDns } from '../../src/kit/dns.ts'
import { createOutbound, OutboundError } from '../../src/kit/outbound.ts'
import { testDns } from '../help/dns.ts'
import { receiver } from '../help/receiver.ts'

const hook = await receiver()
const zone = await testDns()
const dns = createDns([zone.address])
const name = 'hooks.example'
const limits = { maxBytes: 1_000, timeoutMs: 2_000 }
const here = createOutbound(dns, { toLoopback: true })
const strict = createOutbound(dns)
// A test's receiver is on this machine.
const asIfPublic = createOutbound(dns, { allows: (address) => address === '127.0.0.1' })

const request = (url: string, more: object = {}) => ({ url, method: 'POST', headers: {}, body: '{}', ...more })
const reason = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'sent',
    (error: unknown) => (error instanceof OutboundError ? error.kind : String(error)),
  )

beforeEach(() => {
  hook.received.length = 0
  hook.answer((response) => response.end('hello'))
  zone.set(name, { type: 'A', value: '127.0.0.1' })
})

describe('to addresses that are not public', () => {
  const port = hook.port
  test.each([
    `http://127.0.0.1:${port}/`,
    `http://127.1:${port}/`,
    `http://2130706433:${port}/`,
    `http://0x7f000001:${port}/`,
    `http://0177.0.0.1:${port}/`,
    `http://localhost:${port}/`,
    `http://a.localhost:${port}/`,
    `http://localhost.:${port}/`,
    `http://LOCALHOST:${port}/`,
    `http://[::1]:${port}/`,
    `http://[::]:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `http://[::ffff:7f00:1]:${port}/`,
    `http://[::127.0.0.1]:${port}/`,
    `http://[64:ff9b::7f00:1]:${port}/`,
    `http://[2002:7f00:1::]:${port}/`,
    'http://0.0.0.0/',
    'http://10.0.0.1/',
    'http://172.31.255.255/',
    'http://192.168.0.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://168.63.129.16/machine?comp=goalstate',
    'http://168.63.129.16:32526/vmSettings',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://[ff02::1]/',
    'http://[2001:db8::1]/',
    `http://user@127.0.0.1:${port}/`,
    `http://${name}:25/`,
    `ftp://${name}/`,
    'file:///etc/passwd',
    'gopher://example.com/',
    'http://',
    'x',
  ])('%s is not called', async (url) => {
    expect(await reason(strict.send(request(url), limits))).toBe('forbidden')
    expect(hook.received).toEqual([])
  })

  test.each([
    ['A', '127.0.0.1'],
    ['A', '10.1.2.3'],
    ['AAAA', '::1'],
    ['AAAA', '::ffff:192.168.0.1'],
  ] as const)('a name with a private address (%s %s) is not called, also beside a public one', async (type, value) => {
    zone.set(name, { type, value })
    expect(await reason(strict.send(request(`http://${name}:${port}/`), limits))).toBe('forbidden')
    zone.set(name, { type: 'A', value: '1.1.1.1' }, { type, value })
    expect(await reason(strict.send(request(`http://${name}:${port}/`), limits))).toBe('forbidden')
    expect(hook.received).toEqual([])
  })

  test('a name that changes after it was checked leads nowhere else', async () => {
    zone.questions.length = 0
    expect((await asIfPublic.send(request(`http://${name}:${port}/`), limits)).status).toBe(200)
    expect(zone.questions.filter((question) => question === `A ${name}`)).toHaveLength(1)
    expect(hook.received[0]?.headers.host).toBe(`${name}:${port}`)
  })

  test('a redirect to one is an answer', async () => {
    hook.answer((response) => response.writeHead(307, { location: 'http://169.254.169.254/' }).end())
    const { status, headers } = await asIfPublic.send(request(`http://${name}:${port}/`), limits)
    expect([status, headers.location, hook.received.length]).toEqual([307, 'http://169.254.169.254/', 1])
  })

  test('this machine is called where it is allowed, and no private network', async () => {
    for (const host of ['127.0.0.1', 'localhost', 'a.localhost', '[::ffff:127.0.0.1]'])
      expect((await here.send(request(`http://${host}:${port}/`), limits)).body.toString()).toBe('hello')
    expect(await reason(here.send(request('http://10.0.0.1/'), limits))).toBe('forbidden')
    expect(await reason(here.get(`https://127.0.0.1:${port}/`, limits))).toBe('forbidden')
  })
})

describe('a request', () => {
  const url = `${hook.url}/path?q=1`

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s arrives with headers in UTF-8 and its body', async (method) => {
    await here.send({ url, method, headers: { 'x-name': 'Zoë' }, body: '{"a":"ü"}' }, limits)
    expect(hook.received).toMatchObject([{ method, path: '/path?q=1', body: '{"a":"ü"}', headers: { 'content-length': '10' } }])
    expect(Buffer.from(hook.received[0]?.headers['x-name'] ?? '', 'latin1').toString()).toBe('Zoë')
  })

  test('GET without a body has none', async () => {
    await here.send({ url, method: 'GET', headers: {}, body: null }, limits)
    expect(hook.received).toMatchObject([{ method: 'GET', body: '' }])
    expect(hook.received[0]?.headers).not.toHaveProperty('content-length')
  })

  test('reads no more of an answer than it may', async () => {
    let sent = 0
    hook.answer((response) => {
      const more = (): void => {
        while (!response.destroyed && sent < 1e9 && response.write('x'.repeat(10_000))) sent += 10_000
        if (!response.destroyed && sent < 1e9) response.once('drain', more)
      }
      more()
    })
    const { body, end } = await here.send(request(url), limits)
    expect([body.toString(), end]).toEqual(['x'.repeat(1_000), 'cut'])
    expect(sent).toBeLessThan(1e8)
  })

  test.each<[string, (response: ServerResponse) => void, string]>([
    ['that never ends', (response) => void response.writeHead(200).write('some'), 'some'],
    ['of no stated length that never ends', ({ socket }) => void socket?.write('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nsome'), 'some'],
    ['that ends early', (response) => response.writeHead(200, { 'content-length': '9' }).write('some', () => response.destroy()), 'some'],
  ])('an answer %s counts with what has come', async (_what, how, body) => {
    hook.answer(how)
    const answer = await here.send(request(url), { ...limits, timeoutMs: 300 })
    expect([answer.status, answer.body.toString(), answer.end]).toEqual([200, body, 'lost'])
  })

  test.each<[string, (response: ServerResponse) => void, string | RegExp]>([
    ['no answer', () => undefined, `127.0.0.1:${hook.port} cannot be reached: no answer within 0.3 s.`],
    ['headers without an end', (response) => void response.socket?.write('HTTP/1.1 200 OK\r\nx: '), /no answer within/],
    ['too many headers', (response) => void response.socket?.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(50_000)}\r\n\r\n`), /Header overflow/],
    ['something else', (response) => void response.socket?.end('220 mail.example ESMTP\r\n'), /Parse Error/],
    [
      'another protocol',
      (response) => void response.socket?.write('HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
      /cannot be reached/,
    ],
  ])('%s is unavailable, with a sentence', async (_what, how, sentence) => {
    hook.answer(how)
    const failure = await here.send(request(url), { ...limits, timeoutMs: 300 }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind: 'unavailable', message: expect.stringMatching(sentence) })
  })

  test('is unavailable where nothing listens, and for a name without an address', async () => {
    const nowhere = await here.send(request('http://localhost:9999/'), limits).catch((error: unknown) => error)
    expect(nowhere).toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/^localhost:9999 cannot be reached: connect ECONNREFUSED/),
    })
    zone.remove(name)
    expect(await reason(strict.send(request(`http://${name}/`), limits))).toBe('unavailable')
  })

  test('ends with its signal', async () => {
    hook.answer(() => ending.abort())
    const ending = new AbortController()
    expect(await reason(here.send(request(url), { ...limits, signal: ending.signal }))).toBe('unavailable')
  })
})

describe('a receiver that sends more than an answer', () => {
  const url = `${hook.url}/`
  let sent = () => 0

  /** Sends the beginning of an answer, and then the same again and again, as long as the connection is open. */
  function endless(begin: string, more: string): void {
    hook.answer(({ socket }) => {
      if (!socket) throw new Error('The response has no connection')
      sent = () => socket.bytesWritten
      const pump = (): void => {
        while (!socket.destroyed && socket.bytesWritten < 1e9 && socket.write(more.repeat(Math.ceil(8_192 / more.length))));
      }
      socket.on('drain', pump).on('error', () => undefined)
      socket.write(begin)
      pump()
    })
  }

  const ok = 'HTTP/1.1 200 OK\r\n'
  const early = 'HTTP/1.1 103 Early Hints\r\n\r\n'

  test.each([
    ['informational responses without end', '', early, /it sent more than 10 informational responses\.$/],
    ['empty lines without end', '', '\r\n', /it sent more than 197608 bytes\.$/],
    ['headers without end', ok, 'a: b\r\n', /Header overflow/],
  ])('%s is unavailable, with a sentence, and is not read on', async (_what, begin, more, sentence) => {
    endless(begin, more)
    const failure = await here.send(request(url), limits).catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind: 'unavailable', late: false, message: expect.stringMatching(sentence) })
    expect(sent()).toBeLessThan(1e8)
  })

  test.each([
    ['a body in very small chunks', `${ok}transfer-encoding: chunked\r\n\r\n`, '1\r\nx\r\n', 'cut', 2_001],
    ['trailers without end', `${ok}transfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n`, 'a: b\r\n', 'lost', 2],
    ['what belongs to a chunk without end', `${ok}transfer-encoding: chunked\r\n\r\n2\r\nok\r\n2;`, 'x', 'lost', 2],
  ])('%s counts with what has come, and is not read on', async (_what, begin, more, end, length) => {
    endless(begin, more)
    const answer = await here.send(request(url), { ...limits, maxBytes: 64 * 1_024 })
    expect([answer.status, answer.end, answer.body.length]).toEqual([200, end, length])
    expect(sent()).toBeLessThan(1e8)
  })

  test('a few informational responses, and a body of the allowed size in chunks, are an answer', async () => {
    const chunk = `40\r\n${'x'.repeat(64)}\r\n`
    hook.answer(({ socket }) => socket?.end(`${early.repeat(10)}${ok}transfer-encoding: chunked\r\n\r\n${chunk.repeat(1_000)}0\r\n\r\n`))
    const answer = await here.send(request(url), { ...limits, maxBytes: 64 * 1_024 })
    expect([answer.status, answer.end, answer.body.length]).toEqual([200, 'complete', 64_000])
  })
})

test('before a connection the places that it may be made to are said, and may be refused', async () => {
  const met: string[] = []
  const saying = (place: string) => void met.push(place)
  await asIfPublic.send(request(`http://${name}:${hook.port}/`), { ...limits, meets: saying })
  expect(met).toEqual([`127.0.0.1 port ${hook.port}`])
  hook.received.length = 0
  const refusing = () => {
    throw new Error('not now')
  }
  const refused = asIfPublic.send(request(`http://${name}:${hook.port}/`), { ...limits, meets: refusing })
  await expect(refused).rejects.toThrow('not now')
  expect(hook.received).toHaveLength(0)
})

test('an error says whether there was no answer in time', async () => {
  hook.answer(() => {})
  const late = here.send(request(`http://localhost:${hook.port}/`), { ...limits, timeoutMs: 300 })
  await expect(late).rejects.toMatchObject({ kind: 'unavailable', late: true })
  await expect(here.send(request('http://localhost:1025/'), limits)).rejects.toMatchObject({ kind: 'unavailable', late: false })
})
