import { execFile } from 'node:child_process'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { freshFolder } from '../help/folder.ts'
import { root } from '../help/sources.ts'

const read = (file: string): Promise<string> => readFile(join(root, file), 'utf8')
const startScript = async (): Promise<string> => JSON.parse(await read('package.json')).scripts.start

test('npm start runs the program once, in place of its shell, with two arenas of memory', async () => {
  const folder = await freshFolder()
  await writeFile(join(folder, 'node'), '#!/bin/sh\necho "$$ arenas: $MALLOC_ARENA_MAX, $*"\nexit 3\n')
  await chmod(join(folder, 'node'), 0o755)
  const shell = promisify(execFile)('/bin/sh', ['-c', await startScript()], { env: { PATH: `${folder}:${process.env.PATH}` } })
  const failed = await shell.catch((error: unknown) => error)
  expect(failed).toMatchObject({ code: 3, stdout: `${shell.child.pid} arenas: 2, src/start/launch.js\n` })
})

test('npm start runs it where there is no exec as well', async () => {
  expect((await startScript()).split(' || ').at(-1)).toBe('node src/start/launch.js')
})

test('the image sets the same', async () => {
  const [, last = ''] = /^FROM node:24-bookworm-slim\n([\s\S]*)$/m.exec(await read('Dockerfile')) ?? []
  expect(last).toMatch(/^ENV (?:.*\\\n)*.*MALLOC_ARENA_MAX=2$/m)
})
