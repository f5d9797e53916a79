import { spawn, spawnSync } from 'node:child_process'
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findFolders } from '../../../src/kit/postgres/folders.ts'
import { freshFolder } from '../../help/folder.ts'

// Under root the programs are always copied, because the user of the cluster may not read those of root.
const isRoot = process.getuid?.() === 0
// A shell that sees mounts of its own.
const isolated = ['unshare', '-m', 'bash']
const mayMount = isRoot && spawnSync(isolated[0] ?? '', ['-m', 'true']).status === 0

/** A data folder with its home inside, which everybody may enter. */
async function openFolder(): Promise<{ dataDir: string; home: string }> {
  const dataDir = await freshFolder()
  await chmod(dataDir, 0o755)
  await mkdir(join(dataDir, 'postgres'))
  return { dataDir, home: join(dataDir, 'postgres') }
}

const source = new URL('../../../src/kit/postgres/folders.ts', import.meta.url).href
const program = `import { findFolders } from '${source}'
  await findFolders(process.argv[1]).catch((error) => console.log(error.constructor.name, error.message))
  console.log((await import('node:fs')).readdirSync(process.argv[1] + '/postgres').join())`

/** What a start in a shell says that has prepared its surroundings, and what it leaves in the home. */
function startAfter(preparation: string, dataDir: string, shell = ['bash']): string[] {
  const script = `${preparation}; exec "$1" --input-type=module -e "$2" "$3"`
  const [command = '', ...rest] = shell
  const { stdout } = spawnSync(command, [...rest, '-c', script, 'sh', process.execPath, program, dataDir], { encoding: 'utf8' })
  return stdout.split('\n').slice(0, 2)
}

describe.runIf(isRoot)('the programs of PostgreSQL, where they have to be copied', () => {
  test('leave nothing behind when a file cannot be written, and a sentence says which folder', async () => {
    const { dataDir, home } = await openFolder()
    // Files of at most 1 MB.
    const [sentence, left] = startAfter("trap '' XFSZ; ulimit -f 1000", dataDir)
    expect(sentence).toMatch(/^PostgresError The programs of PostgreSQL, 80 MB, cannot be copied to .*: it cannot be written \(.*\)\. /)
    expect([sentence?.includes(home), left]).toEqual([true, ''])
  })

  test.runIf(mayMount)('leave nothing behind when the disk is full, which a sentence says', async () => {
    const { dataDir, home } = await openFolder()
    const [sentence, left] = startAfter('mount -t tmpfs -o size=5m tmpfs "$3/postgres" && chmod 755 "$3/postgres"', dataDir, isolated)
    expect(sentence).toMatch(/^PostgresError The programs of PostgreSQL, 80 MB, cannot be copied to .*: its disk is full\. /)
    expect([sentence?.includes(home), left]).toEqual([true, ''])
  })

  test('are there after a start, which removes what a killed one has left, and not what one copies at the moment', async () => {
    const { dataDir, home } = await openFolder()
    const name = (await findFolders(dataDir)).native.slice(home.length + 1)
    const other = spawn('sleep', ['60'])
    onTestFinished(() => void other.kill())
    const [ended, running] = [spawnSync('true').pid, other.pid]
    for (const one of [`${name}.${ended}`, `${name}.${running}`, `${name}.${process.pid}`, `${name}.notes`]) {
      await mkdir(join(home, one, 'bin'), { recursive: true })
      await writeFile(join(home, one, 'bin', 'postgres'), 'half')
    }
    expect((await findFolders(dataDir)).native).toBe(join(home, name))
    expect((await readdir(home)).toSorted()).toEqual([name, `${name}.${running}`, `${name}.notes`].toSorted())
  })
})
