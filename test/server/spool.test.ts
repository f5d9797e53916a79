import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createLog } from '../../src/kit/log.ts'
import { removeLeftFiles, spool } from '../../src/server/spool.ts'
import { freshFolder } from '../help/folder.ts'
import { testServer } from '../help/server.ts'
import { freshProject } from '../help/world.ts'

const log = createLog('silent')
const { world, call } = await testServer()
const realTmpdir = tmpdir()
const folder = await freshFolder()
const opened: fs.promises.FileHandle[] = []
const { open } = fs.promises

// The disk is outside: what it refuses is imitated, and every file that is opened is remembered.
function onDisk({ unlink, append }: { unlink?: Error; append?: Error }): void {
  vi.spyOn(fs.promises, 'open').mockImplementation(async (...how) => {
    const file = await open(...how)
    opened.push(file)
    if (append) file.appendFile = () => Promise.reject(append)
    return file
  })
  if (unlink) vi.spyOn(fs.promises, 'unlink').mockRejectedValueOnce(unlink)
  syncBuiltinESMExports()
}

const refusal = (code: string): Error => Object.assign(new Error(`${code}: imitated`), { code })
const body = () => Readable.from([Buffer.alloc(100_000), Buffer.alloc(100_000)])

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  process.env.TMPDIR = realTmpdir
  opened.length = 0
})

describe('503, with nothing left open', () => {
  test.each([
    ['a file whose name cannot be removed', { unlink: refusal('EIO') }],
    ['a full disk', { append: refusal('ENOSPC') }],
    ['any other error of the disk', { append: refusal('EIO') }],
  ])('%s', async (_what, disk) => {
    onDisk(disk)
    const refused = spool(log, body(), { before: Buffer.alloc(10), limit: 1_000_000 })
    await expect(refused).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '60' } })
    expect(opened.map(({ fd }) => fd)).toEqual([-1])
  })

  test('a folder that is missing, over HTTP; small bodies are still read', async () => {
    const { secret } = await freshProject(world)
    process.env.TMPDIR = '/nowhere/at/all'
    const large = { to: 'ada@example.com', subject: 'x', body: 'x'.repeat(3_000_000) }
    const refused = await call('POST /v1/send', large, { key: secret })
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } })
    expect(refused.headers.get('retry-after')).toBe('60')
    expect((await call('POST /contacts', { email: 'ada@example.com' }, { key: secret })).status).toBe(201)
  })
})

test('what was written is read back, and the file has no name meanwhile', async () => {
  onDisk({})
  process.env.TMPDIR = folder
  const arrived = await spool(log, body(), { before: Buffer.from('begin'), limit: 1_000_000 })
  expect(opened.length).toBe(1)
  expect(fs.readdirSync(folder)).toEqual([])
  expect(arrived?.bytes).toBe(200_005)
  expect(await arrived?.read()).toEqual(Buffer.concat([Buffer.from('begin'), Buffer.alloc(200_000)]))
  await arrived?.close()
  expect(opened.map(({ fd }) => fd)).toEqual([-1])
})

test('a file is closed when the body is larger than allowed, and when it ends early', async () => {
  onDisk({})
  expect(await spool(log, body(), { before: Buffer.alloc(0), limit: 150_000 })).toBeNull()
  // As readBody does.
  const broken = body().on('error', () => undefined)
  broken.destroy(new Error('the connection is lost'))
  await expect(spool(log, broken, { before: Buffer.alloc(0), limit: 1_000_000 })).rejects.toThrow('the connection is lost')
  expect(opened.map(({ fd }) => fd)).toEqual([-1, -1])
})

test('empty files that a crash has left are removed, and nothing else', async () => {
  process.env.TMPDIR = await freshFolder()
  const path = (name: string) => `${process.env.TMPDIR}/${name}`
  const old = new Date(Date.now() - 61_000)
  const id = '0a1b2c3d-0a1b-4c2d-8e3f-0a1b2c3d4e5f'
  const others = [`postwire-${id.replace('0a', '0b')}`, `postwire-${id.replace('0a', '0c')}`, `postwire-${id}.txt`, 'postwire-']
  for (const name of [`postwire-${id}`, ...others]) await fs.promises.writeFile(path(name), name === others[0] ? 'not empty' : '')
  for (const name of [`postwire-${id}`, ...others].filter((_, at) => at !== 2)) await fs.promises.utimes(path(name), old, old)
  await removeLeftFiles(log)
  expect((await fs.promises.readdir(path(''))).toSorted()).toEqual(others.toSorted())
})

test('small pieces are written together', async () => {
  onDisk({})
  process.env.TMPDIR = folder
  const pieces = (count: number) => Readable.from(Array.from({ length: count }, () => Buffer.from('x')))
  const arrived = await spool(log, pieces(100_000), { before: Buffer.from('begin'), limit: 1_000_000 })
  expect((await arrived?.read())?.toString()).toBe(`begin${'x'.repeat(100_000)}`)
  await arrived?.close()
})
