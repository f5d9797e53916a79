import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { countFor, limitFiles, maxConnections } from '../../src/server/file-limit.ts'
import { createSites } from '../../src/server/sites.ts'
import { freshUser } from '../help/people.ts'
import { startProgram } from '../help/program.ts'
import { root } from '../help/sources.ts'
import { until } from '../help/until.ts'
import { testWorld } from '../help/world.ts'

const direct = await testWorld()
const proxied = await testWorld({ env: { TRUST_PROXY: '1' } })

/** A server that may have so many connections, and clients that connect from addresses of this machine. */
async function serverWith(max: number, world = direct, accepted: Socket[] = []) {
  let long = 0
  const server = createServer((request, response) => void (request.url === '/long' ? long++ : response.end('Hello')))
  limitFiles(world, server, max)
  server.on('connection', (socket) => accepted.push(socket))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const connected = async (localAddress: string): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    const accepted = once(server, 'connection')
    await accepted
    return socket
  }
  const several = async (count: number, address: string) => {
    const sockets: Socket[] = []
    for (let at = 0; at < count; at++) sockets.push(await connected(address))
    return sockets
  }
  /** Asks for what is not answered. */
  const askedLong = async (sockets: Socket[], addressOf = (at: number) => `192.0.2.${at}`, headers = '') => {
    const before = long
    for (const [at, socket] of sockets.entries())
      socket.write(`GET /long HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${addressOf(at)}\r\n${headers}\r\n`)
    await until(async () => long === before + sockets.length)
    return sockets
  }
  const upgraded = async (sockets: Socket[], address: string) => {
    for (const socket of sockets) {
      const upgrade = once(server, 'upgrade')
      const start = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n'
      socket.write(`${start}X-Forwarded-For: ${address}\r\n\r\n`)
      await upgrade
    }
    return sockets
  }
  return { askedLong, connected, several, upgraded }
}

/** A server behind a proxy that has as many connections as it may: so many live ones, and ones whose requests are under way, of addresses. */
async function fullServer(owners: Record<string, { live?: number; asking?: number }>, idle = 0) {
  const all = Object.entries(owners).map(([address, { live = 0, asking = 0 }]) => ({ address, live, asking }))
  const max = all.reduce((sum, { live, asking }) => sum + live + asking, idle)
  const made = await serverWith(max, proxied)
  const unused = await made.several(idle, '127.0.0.2')
  for (const socket of unused) await asked(socket)
  const used: Socket[] = []
  for (const { address, live, asking } of all) {
    used.push(...(await made.upgraded(await made.several(live, '127.0.0.2'), address)))
    used.push(...(await made.askedLong(await made.several(asking, '127.0.0.2'), () => address)))
  }
  return { ...made, unused, used }
}

/** A server process that may have so many files. */
async function startedWith(files: number): Promise<{ url: string }> {
  const env = { DATABASE_URL: direct.databaseUrl, PORT: '0', HOST: '127.0.0.1', APP_SECRET: 'x'.repeat(40), ROLE: 'web' }
  const program = startProgram('/bin/sh', ['-c', `ulimit -n ${files} && exec "${process.execPath}" src/main.ts`], { cwd: root, env })
  onTestFinished(async () => {
    program.kill('SIGTERM')
    await program.ended
  })
  const [, url] = await program.logs(/"url":"(http[^"]+)"/)
  return { url: url ?? '' }
}

async function asked(socket: Socket): Promise<string> {
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  return String((await once(socket, 'data'))[0])
}

const areClosed = (sockets: Socket[]) => sockets.map(({ closed }) => closed)

test('of the address with the most the oldest silent connections give way, so that others are served', async () => {
  const { connected, several } = await serverWith(8)
  const [used, ...silent] = await several(6, '127.0.0.2')
  expect(used && (await asked(used))).toContain('Hello')
  const others = await several(2, '127.0.0.3')
  const newcomer = await connected('127.0.0.4')
  expect(await asked(newcomer)).toContain('Hello')
  await until(async () => areClosed(silent).filter(Boolean).length === 4)
  expect(areClosed(silent)).toEqual([true, true, true, true, false])
  for (const served of [used, ...others]) expect(served && (await asked(served))).toContain('Hello')
})

test('whoever has the most loses those that were used as well when none is silent', async () => {
  const { connected, several } = await serverWith(4)
  const theirs = await several(4, '127.0.0.2')
  for (const socket of theirs) await asked(socket)
  expect(await asked(await connected('127.0.0.3'))).toContain('Hello')
  await until(async () => areClosed(theirs).filter(Boolean).length === 3)
  expect(areClosed(theirs)).toEqual([true, true, true, false])
})

test('behind a reverse proxy no connection whose request is being answered gives way, but the new one', async () => {
  const { askedLong, connected, several } = await serverWith(3, proxied)
  const used = await several(3, '127.0.0.2')
  for (const socket of used) await asked(socket)
  await askedLong(used)
  const refused = await connected('127.0.0.2')
  await until(async () => refused.closed)
  expect(areClosed(used)).toEqual([false, false, false])
})

test('behind a reverse proxy one that has been idle for longest does before the new one', async () => {
  const { connected, several } = await serverWith(3, proxied)
  const used = await several(3, '127.0.0.2')
  for (const socket of [...used, ...used.slice(0, 1)]) await asked(socket)
  expect(await asked(await connected('127.0.0.2'))).toContain('Hello')
  await until(async () => areClosed(used).includes(true))
  expect(areClosed(used)).toEqual([false, true, false])
})

test('and so do live ones of an address that has more than others, although they are less than half', async () => {
  const accepted: Socket[] = []
  const { askedLong, connected, several } = await serverWith(8, proxied, accepted)
  const live = await several(4, '127.0.0.2')
  for (const [at, socket] of accepted.entries()) countFor(socket, at === 0 ? '192.0.2.1' : '192.0.2.2')
  await askedLong([...live, ...(await several(4, '127.0.0.2'))])
  expect(await asked(await connected('127.0.0.2'))).toContain('Hello')
  await until(async () => areClosed(live).filter(Boolean).length === 2)
  expect(areClosed(live)).toEqual([false, true, true, false])
})

test('behind a reverse proxy requests of an address that has many under way give way before those of others and the new one', async () => {
  const { askedLong, connected, several } = await serverWith(8, proxied)
  const sockets = await several(8, '127.0.0.2')
  await askedLong(sockets, (at) => (at < 6 ? '198.51.100.1' : `198.51.100.${at}`))
  expect(await asked(await connected('127.0.0.2'))).toContain('Hello')
  await until(async () => areClosed(sockets).filter(Boolean).length === 5)
  expect(areClosed(sockets)).toEqual([true, true, true, true, true, false, false, false])
})

test('behind a reverse proxy live connections are of the addresses that it names, and give way when they are more than half', async () => {
  const accepted: Socket[] = []
  const { connected, several } = await serverWith(6, proxied, accepted)
  const live = await several(4, '127.0.0.2')
  for (const socket of live) await asked(socket)
  for (const [at, socket] of accepted.entries()) countFor(socket, at === 0 ? '192.0.2.1' : '192.0.2.2')
  const plain = await several(2, '127.0.0.2')
  for (const socket of [...plain, await connected('127.0.0.2')]) expect(await asked(socket)).toContain('Hello')
  await until(async () => areClosed(live).filter(Boolean).length === 2)
  expect(areClosed(live)).toEqual([false, true, true, false])
})

test('what is no live connection any more is the proxy’s again', async () => {
  const accepted: Socket[] = []
  const { askedLong, connected, several } = await serverWith(3, proxied, accepted)
  const used = await several(3, '127.0.0.2')
  for (const socket of used) await asked(socket)
  for (const ended of accepted.map((socket) => countFor(socket, '192.0.2.1'))) ended()
  await askedLong(used)
  const refused = await connected('127.0.0.2')
  await until(async () => refused.closed)
  expect(areClosed(used)).toEqual([false, false, false])
})

describe('behind a reverse proxy that has as many connections as it may', () => {
  test.each([
    ['two with half of all live, and one with as many requests', { a: { live: 10 }, b: { live: 10 }, c: { asking: 20 } }],
    ['one with half of all live, and one with as many requests', { a: { live: 20 }, b: { asking: 20 } }],
    ['one with both', { a: { live: 20, asking: 20 } }],
    ['two with both', { a: { live: 10, asking: 10 }, b: { live: 10, asking: 10 } }],
    ['two with requests', { a: { asking: 20 }, b: { asking: 20 } }],
    ['three with live ones', { a: { live: 13 }, b: { live: 13 }, c: { live: 13 } }],
    ['ten with both', Object.fromEntries(Array.from('abcdefghij', (name) => [name, { live: 3, asking: 3 }]))],
    ['ten with requests', Object.fromEntries(Array.from('abcdefghij', (name) => [name, { asking: 6 }]))],
  ])('addresses with equally many keep no other out, which then loses none to them: %s', async (_, owners) => {
    const { askedLong, several } = await fullServer(owners)
    const few = await askedLong(await several(4, '127.0.0.2'), () => 'few')
    for (let at = 0; at < 20; at++) await askedLong(await several(1, '127.0.0.2'), () => 'a')
    const [another] = await several(3, '127.0.0.2')
    expect(another && (await asked(another))).toContain('Hello')
    expect(areClosed(few)).toEqual([false, false, false, false])
  })

  test('idle ones give way before any that is in use, the one that has been idle for longest first', async () => {
    const { connected, unused, used } = await fullServer({ a: { live: 15, asking: 15 } }, 4)
    expect(await asked(await connected('127.0.0.2'))).toContain('Hello')
    await until(async () => areClosed(unused).includes(true))
    expect(areClosed(unused)).toEqual([true, false, false, false])
    expect(areClosed(used)).not.toContain(true)
  })

  test('live ones of addresses with a few give way while they are more than half, and idle ones do not', async () => {
    const { connected, unused, used } = await fullServer(
      { a: { live: 3 }, b: { live: 4 }, c: { live: 4 }, d: { live: 4 }, e: { live: 4 } },
      13,
    )
    expect(await asked(await connected('127.0.0.2'))).toContain('Hello')
    await until(async () => areClosed(used).includes(true))
    expect(areClosed(used)).toEqual(used.map((_, at) => at === 3))
    expect(areClosed(unused)).not.toContain(true)
  })

  test('where all have a few in use, and no more than half of them live, the new one gives way', async () => {
    const { connected, used } = await fullServer(
      Object.fromEntries(Array.from('abcdefghij', (name) => [name, name < 'f' ? { live: 4 } : { asking: 4 }])),
    )
    const refused = await connected('127.0.0.2')
    await until(async () => refused.closed)
    expect(areClosed(used)).not.toContain(true)
  })

  test('of one address live ones give way first, and last requests of people who are signed in', async () => {
    const { cookie } = await freshUser(proxied)
    const { askedLong, connected, several, upgraded } = await serverWith(18, proxied)
    const signedIn = await askedLong(await several(4, '127.0.0.2'), () => 'a', `Cookie: ${cookie}\r\n`)
    const others = await askedLong(await several(4, '127.0.0.2'), () => 'a', 'Cookie: session=forged\r\n')
    const live = await upgraded(await several(4, '127.0.0.2'), 'a')
    const next = await askedLong(await several(6, '127.0.0.2'), () => 'b')
    expect(await asked(await connected('127.0.0.2'))).toContain('Hello')
    await until(async () => areClosed([...live, ...others]).filter(Boolean).length === 6)
    expect([live, others].map(areClosed)).toEqual([
      [true, true, true, true],
      [true, true, false, false],
    ])
    expect(areClosed([...signedIn, ...next])).not.toContain(true)
  })

  test('ones that were accepted a moment ago do not give way before idle ones', async () => {
    const { several } = await fullServer({}, 4)
    const { now } = performance
    const moment = performance.now()
    Object.assign(performance, { now: () => moment })
    onTestFinished(() => void Object.assign(performance, { now }))
    for (const socket of await several(3, '127.0.0.2')) expect(await asked(socket)).toContain('Hello')
  })

  test('one whose next request is under way is not idle once the one before it is answered', async () => {
    const { connected, several } = await serverWith(3, proxied)
    const used = await several(3, '127.0.0.2')
    const both = ['/', '/long'].map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.`)
    for (const [at, socket] of used.entries()) {
      socket.write(both.map((start) => `${start}${at}\r\n\r\n`).join(''))
      expect(String((await once(socket, 'data'))[0])).toContain('Hello')
    }
    const refused = await connected('127.0.0.2')
    await until(async () => refused.closed)
    expect(areClosed(used)).toEqual([false, false, false])
  })
})

test('looking for who gives way takes as long however many addresses and connections there are', () => {
  const sites = createSites()
  const sockets = Array.from({ length: 70_000 }, () => new Socket())
  for (const [at, socket] of sockets.entries()) sites.put(socket, { site: `${at < 20_000 ? at % 2 : at}`, rank: at % 3 })
  const before = process.threadCpuUsage()
  for (const newest of sockets.slice(0, 10_000)) {
    for (const socket of sites.firstToGo(4).sockets) sites.remove(socket)
    sites.put(newest, { site: '0', rank: 3 })
  }
  // Looking at each of the addresses, or of the connections of one, would take this thread several seconds.
  expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000)
  expect(sites.most()).toBeLessThanOrEqual(10_001)
})

test('a process with few files serves others while an address opens as many connections as it may', async () => {
  const { url } = await startedWith(700)
  const { port } = new URL(url)
  const sockets = Array.from({ length: 500 }, () => connect({ port: Number(port), host: '127.0.0.1', localAddress: '127.0.0.2' }))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  for (const socket of sockets) socket.on('error', () => undefined)
  await until(async () => sockets.filter(({ closed }) => closed).length >= 150)
  for (let at = 0; at < 5; at++) expect((await fetch(`${url}/healthz`)).status).toBe(200)
})

test('room is left for the other files of a process', () => {
  expect([20_000, 4_000, 1_024, 256, Number.POSITIVE_INFINITY].map((files) => maxConnections(files))).toEqual([
    19_000,
    3_000,
    512,
    128,
    Number.POSITIVE_INFINITY,
  ])
  expect(maxConnections()).toBeGreaterThan(100)
})
