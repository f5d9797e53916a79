import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/kit/postgres/db.ts'
import { explainStartError } from '../../src/start/start.ts'
import { freshFolder } from '../help/folder.ts'

const reasonOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error)

test('a start that fails for a file that does not exist says which, and nothing of a database', async () => {
  const path = join(await freshFolder(), 'demo.json')
  const sentence = explainStartError(await reasonOf(readFile(path)))
  expect(sentence).toMatch(/^A file could not be used: ENOENT: no such file or directory/)
  expect(sentence).toContain(path)
})

test('a start that fails because another program has taken the port meanwhile says so', async () => {
  const [first, second] = [createServer(), createServer()]
  await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve))
  const { port } = first.address() as AddressInfo
  const failure = await reasonOf(new Promise((_, reject) => second.once('error', reject).listen(port, '127.0.0.1')))
  expect(explainStartError(failure)).toBe(
    `Port ${port} of 127.0.0.1 is in use: stop the program that listens there, or set PORT to another one (PORT=0 takes a free one).`,
  )
  await new Promise((resolve) => first.close(resolve))
})

test('a start that fails because the socket of a server does not exist says that the database cannot be reached', async () => {
  const folder = await freshFolder()
  const database = openDatabase(`postgresql://postgres@/postgres?host=${folder}`, 1, () => undefined)
  const failure = await reasonOf(database.prisma.$queryRawUnsafe('select 1'))
  expect(explainStartError(failure)).toMatch(/^The database at DATABASE_URL cannot be reached: /)
  await database.close()
})

test('a start that fails because a server answers nothing says that the database cannot be reached', async () => {
  const silent = createServer((socket) => void socket.resume())
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const client = new pg.Client({ connectionString: `postgresql://postgres@127.0.0.1:${port}/postgres`, connectionTimeoutMillis: 50 })
  const failure = await reasonOf(client.connect())
  expect(explainStartError(failure)).toMatch(/^The database at DATABASE_URL cannot be reached: /)
  await new Promise((resolve) => silent.close(resolve))
})
