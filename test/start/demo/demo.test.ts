import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findDemo } from '../../../src/start/demo/demo.ts'
import { freshFolder } from '../../help/folder.ts'
import { until } from '../../help/until.ts'
import { type TestWorld, testWorld } from '../../help/world.ts'

const worldIn = (folder: string, databaseUrl?: string): Promise<TestWorld> =>
  testWorld({ env: { NODE_ENV: 'development', DATA_DIR: folder }, ...(databaseUrl && { databaseUrl }) })
const start = (world: TestWorld) => findDemo(world, 'http://127.0.0.1:8080')
const fileIn = async (folder: string) => JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'))

test('demo data get their file, which only its owner can read, also where DATA_DIR does not exist yet', async () => {
  const folder = join(await freshFolder(), 'not', 'yet')
  const demo = await start(await worldIn(folder))
  expect(await fileIn(folder)).toMatchObject({ projectId: demo?.projectId, secret: demo?.secret, password: demo?.password })
  expect((await stat(join(folder, 'demo.json'))).mode & 0o777).toBe(0o600)
})

test('where the file cannot be written nothing is created, and a later start that can write it creates the demo data', async () => {
  const folder = await freshFolder()
  const taken = join(folder, 'taken')
  await writeFile(taken, '')
  const world = await worldIn(join(taken, 'data'))
  await expect(start(world)).rejects.toMatchObject({ code: 'ENOTDIR' })
  expect([await world.db.prisma.user.count(), await world.db.prisma.project.count()]).toEqual([0, 0])
  const other = await worldIn(folder, world.databaseUrl)
  expect((await start(other))?.secret).toBe((await fileIn(folder)).secret)
})

test.each(['', '{"projectId":"prj_'])('a file that was not written to its end is none: %j', async (text) => {
  const folder = await freshFolder()
  await writeFile(join(folder, 'demo.json'), text)
  const demo = await start(await worldIn(folder))
  expect(demo?.secret).toMatch(/^sk_/)
  expect((await fileIn(folder)).secret).toBe(demo?.secret)
})

test('when the file can no longer be written once the demo data are created, the start goes on with them', async () => {
  const folder = await freshFolder()
  const starting = start(await worldIn(folder))
  await until(() => stat(join(folder, 'demo.json')).then(Boolean, () => false))
  await rm(folder, { recursive: true })
  expect((await starting)?.secret).toMatch(/^sk_/)
})
