import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { countFor, limitFiles, maxConnections } from '../../src/server/file-limit.ts'
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
  const askedLong = async (sockets: Socket[], addressOf = (at: number) => `192.0.2.${at}`) => {
    for (const [at, socket] of sockets.entries())
      socket.write(`GET /long HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${addressOf(at)}\r\n\r\n`)
    await until(async () => long === sockets.length)
  }
  return { askedLong, connected, several }
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
