import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { createDomain } from '../../../src/modules/domains/domains.ts'
import { testServer } from '../../help/server.ts'
import { freshProject } from '../../help/world.ts'

const { url, call, world } = await testServer()
let project: Awaited<ReturnType<typeof freshProject>>

beforeAll(async () => {
  project = await freshProject(world)
  await createDomain(project.ctx, { domain: 'acme.test' })
})

const contacts = () => world.db.prisma.contact.count({ where: { projectId: project.projectId } })
const json = { 'content-type': 'application/json' }
const raw = (path: string, body: Uint8Array<ArrayBuffer> | string, headers: Record<string, string>) =>
  fetch(url + path, { method: 'POST', body, headers: { authorization: `Bearer ${project.secret}`, ...headers } })

describe('413', () => {
  test('a body over 1 MB with a Content-Length', async () => {
    const { status, body } = await call(
      'POST /contacts',
      { email: 'a@example.com', data: { x: 'x'.repeat(1024 * 1024) } },
      { key: project.secret },
    )
    expect([status, body.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  test('a body over 1 MB once decompressed', async () => {
    const bomb = gzipSync(Buffer.from(JSON.stringify({ email: 'a@example.com', data: { x: 'x'.repeat(5 * 1024 * 1024) } })))
    expect(bomb.length).toBeLessThan(20_000)
    const answer = await raw('/contacts', new Uint8Array(bomb), { ...json, 'content-encoding': 'gzip' })
    expect(answer.status).toBe(413)
  })

  test('a body over 5 MB once decompressed, of a route that takes as much', async () => {
    const bomb = gzipSync(Buffer.from(JSON.stringify({ name: 'x'.repeat(8 * 1024 * 1024) })))
    const answer = await raw('/templates', new Uint8Array(bomb), { ...json, 'content-encoding': 'gzip' })
    const { error } = (await answer.json()) as { error: object }
    expect([answer.status, error]).toMatchObject([413, { code: 'PAYLOAD_TOO_LARGE', message: 'The body is larger than 5 MB.' }])
  })

  test('a body over 1 MB without a Content-Length', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write(
      `POST /contacts HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${project.secret}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    )
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const answered = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())))
    socket.on('error', () => undefined)
    for (let at = 0; at < 20; at++) socket.write(chunk)
    expect(await answered).toMatch(/^HTTP\/1.1 413/)
    socket.destroy()
  })

  test('/v1/send accepts an email of several megabytes', async () => {
    const { status } = await call(
      'POST /v1/send',
      { to: 'a@example.com', from: 'hi@acme.test', subject: 'S', body: 'x'.repeat(3 * 1024 * 1024) },
      { key: project.secret },
    )
    expect(status).toBe(200)
  })
})

describe('415', () => {
  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'application/jsonx'])('%s', async (type) => {
    const before = await contacts()
    const answer = await raw('/contacts', '{"email":"a@example.com"}', { 'content-type': type })
    expect(answer.status).toBe(415)
    expect(await contacts()).toBe(before)
  })

  test('an absent body is an empty object, whatever its content type', async () => {
    const answer = await raw('/contacts', '', { 'content-type': 'text/plain' })
    expect(answer.status).toBe(422)
  })
})
