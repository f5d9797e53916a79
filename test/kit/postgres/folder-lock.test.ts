import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { holdFolder } from '../../../src/kit/postgres/folder-lock.ts'
import { freshFolder } from '../../help/folder.ts'
import { root } from '../../help/sources.ts'

const inUse =
  /^The data folder .+ is in use by another Postwire \(process \d+\): stop it, or set another DATA_DIR or a DATABASE_URL here\.$/

test('a data folder is held by one at a time, and free again afterwards, without a trace', async () => {
  const folder = await freshFolder()
  const release = await holdFolder(folder)
  await expect(holdFolder(folder)).rejects.toThrow(inUse)
  expect(await readdir(folder)).toEqual(['in-use'])
  await release()
  const again = await holdFolder(folder)
  await again()
  expect(await readdir(folder)).toEqual([])
})

test.each([
  ['of this system', '.'],
  ['whose path is longer than the address of a socket', 'deep/'.repeat(40)],
])('of many starts of a folder %s at the same moment one holds it', async (_what, below) => {
  const folder = join(await freshFolder(), below)
  await mkdir(folder, { recursive: true })
  for (let round = 0; round < 5; round++) {
    const starts = await Promise.allSettled(Array.from({ length: 8 }, () => holdFolder(folder)))
    const held = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
    expect(held).toHaveLength(1)
    await held[0]?.()
  }
})

// A file system without sockets that every Linux has; only root is told so, others have no right there at all.
test.runIf(process.platform === 'linux' && process.getuid?.() === 0)(
  'where the file system has no sockets, it says that nothing is held',
  async () => {
    const said: string[] = []
    const release = await holdFolder('/sys/kernel', (sentence) => said.push(sentence))
    expect(said).toEqual([expect.stringContaining('/sys/kernel has no sockets: nothing keeps another Postwire from using it')])
    await release()
  },
)

test('what a killed process has left is taken over, by one of many', async () => {
  const folder = await freshFolder()
  const code = `const { holdFolder } = await import('./src/kit/postgres/folder-lock.ts'); await holdFolder(${JSON.stringify(folder)}); console.log('held'); setInterval(() => {}, 1_000)`
  const other = spawn(process.execPath, ['--input-type=module', '-e', code], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void other.kill('SIGKILL'))
  await once(other.stdout, 'data')
  await expect(holdFolder(folder)).rejects.toThrow(inUse)
  other.kill('SIGKILL')
  await once(other, 'exit')
  const starts = await Promise.allSettled(Array.from({ length: 8 }, () => holdFolder(folder)))
  const held = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  expect(held).toHaveLength(1)
  await held[0]?.()
})

test('a file that is no socket is taken over', async () => {
  const folder = await freshFolder()
  await writeFile(join(folder, 'in-use'), '')
  await (await holdFolder(folder))()
})

test('a folder with the name of the socket stays where it is, and the start says so', async () => {
  const folder = await freshFolder()
  await mkdir(join(folder, 'in-use'))
  await writeFile(join(folder, 'in-use', 'notes.txt'), 'mine')
  await expect(holdFolder(folder)).rejects.toThrow(`${join(folder, 'in-use')} is a folder: rename it, Postwire needs the name.`)
  expect(await readdir(join(folder, 'in-use'))).toEqual(['notes.txt'])
  expect(await readdir(folder)).toEqual(['in-use'])
})
