import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
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

test('a start that fails because the socket of a server does not exist says that the database cannot be reached', async () => {
  const folder = await freshFolder()
  const database = openDatabase(`postgresql://postgres@/postgres?host=${folder}`, 1, () => undefined)
  const failure = await reasonOf(database.prisma.$queryRawUnsafe('select 1'))
  expect(explainStartError(failure)).toMatch(/^The database at DATABASE_URL cannot be reached: /)
  await database.close()
})
