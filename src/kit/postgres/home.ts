import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { exists, isAlive, isSame, PostgresError, readIfExists, readRecord, serverOf } from './running.ts'

/** The user "nobody", as whom Postgres runs under root: it exists on every system and owns no other files of this program. */
export const unprivileged = 65534

const pathOf = (folder: string) => join(folder, 'postgres.path')
const noteOf = (home: string) => join(home, 'data-dir.path')
const insideOf = (folder: string) => join(folder, 'postgres')

/**
 * Finds or creates the folder in which a data folder has its cluster: its own `postgres`. Postgres refuses to run as root, so under
 * root the cluster belongs to an unprivileged user; where that user may not enter the data folder (such as below a home directory of
 * mode 700), the home is a folder in /var/tmp. Then `postgres.path` in the data folder has its path, and `data-dir.path` in the home
 * the path back. So a data folder that was moved finds its cluster, and a copy is refused with PostgresError: the home has one owner.
 */
export async function findHome(folder: string): Promise<string> {
  const outside = await findOutside(folder)
  if (outside !== undefined) await claim(folder, outside)
  const home = outside ?? (await findInside(folder))
  if (process.getuid?.() === 0) await requireEntry(home)
  return home
}

// Earlier versions wrote the path of a home inside of the data folder as well, where it outlives a move, and comes along with a copy.
async function findOutside(folder: string): Promise<string | undefined> {
  const pointed = (await readIfExists(pathOf(folder)))?.trim()
  if (pointed === undefined || pointed === insideOf(folder)) return undefined
  if (!(await hasCluster(insideOf(folder)))) return pointed
  // An ordinary user has never had another one.
  if (process.getuid?.() !== 0) return undefined
  const isOld = basename(pointed) === 'postgres' && !(await isOwner(folder, pointed))
  return isOld ? undefined : pointed
}

async function findInside(folder: string): Promise<string> {
  const inside = insideOf(folder)
  if (process.getuid?.() !== 0) return inside
  const isHere = (await hasCluster(inside)) || (await isOpen(folder))
  // What an earlier version has left, which would lead an operator astray.
  if (isHere) await rm(pathOf(folder), { force: true })
  if (isHere && (await hasCluster(inside))) return inside
  const home = isHere ? inside : await mkdtemp(join((await exists('/var/tmp')) ? '/var/tmp' : tmpdir(), 'postwire-'))
  await mkdir(home, { recursive: true })
  await chown(home, unprivileged, unprivileged)
  await chmod(home, 0o700)
  if (isHere) return home
  await writeFile(noteOf(home), folder, { mode: 0o600 })
  await writeFile(pathOf(folder), home, { mode: 0o600 })
  return home
}

function hasCluster(home: string): Promise<boolean> {
  return exists(join(home, 'cluster'))
}

// Makes a home the one of a data folder, unless it is that of another one. A server that runs there is nobody's to end until then.
async function claim(folder: string, home: string): Promise<void> {
  if (!(await exists(home))) throw await refusal(folder, goneSentence(folder, home))
  const owner = await ownerOf(home)
  if (owner !== undefined && (await isSame(owner, folder))) return
  if (owner !== undefined && (await isHomeOf(home, owner))) throw await refusal(folder, copySentence(folder, home, owner))
  const pid = await serverOf(join(home, 'cluster'))
  if (pid === undefined) return writeNote(folder, home)
  const record = await readRecord(join(folder, 'postgres.json'))
  // An earlier version is using it: its next start with this one claims it.
  if (record && record.owner !== process.pid && isAlive(record.owner)) return
  throw new PostgresError(
    `PostgreSQL (process ${pid}) runs in ${home}, perhaps for another data folder than ${folder}: stop the Postwire that it belongs to, or end it with kill -INT ${pid}, and start again.`,
  )
}

async function ownerOf(home: string): Promise<string | undefined> {
  const noted = await readIfExists(noteOf(home))
  if (noted !== undefined) return noted.trim()
  const isInside = basename(home) === 'postgres' && (await exists(join(dirname(home), 'postgres.json')))
  return isInside ? dirname(home) : undefined
}

async function isOwner(folder: string, home: string): Promise<boolean> {
  return isSame((await ownerOf(home)) ?? '', folder)
}

// A data folder that was moved, or that has got another home since, is not where the note of this one leads any more.
async function isHomeOf(home: string, folder: string): Promise<boolean> {
  return isSame((await readIfExists(pathOf(folder)))?.trim() ?? insideOf(folder), home)
}

async function writeNote(folder: string, home: string): Promise<void> {
  await rm(noteOf(home), { force: true })
  // "wx": of several copies that start at once exactly one gets it.
  await writeFile(noteOf(home), folder, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    return claim(folder, home)
  })
}

function goneSentence(folder: string, home: string): string {
  return `The database of ${folder} is in ${home}, and that folder no longer exists: move it back, or write the path where it is now to ${pathOf(folder)}`
}

function copySentence(folder: string, home: string, owner: string): string {
  return `The database in ${home} belongs to the data folder ${owner}, and ${folder} is a copy of that: stop Postwire there, copy ${home} as well (cp -a) and write the path of its copy to ${pathOf(folder)}`
}

async function refusal(folder: string, sentence: string): Promise<PostgresError> {
  const other = (await hasCluster(insideOf(folder))) ? `with the database in ${insideOf(folder)}` : 'with an empty database'
  return new PostgresError(`${sentence}, or remove ${pathOf(folder)} to start ${other}.`)
}

// Whether every user may enter a folder, which needs permission for all its parents too.
async function isOpen(folder: string): Promise<boolean> {
  const { mode } = await stat(folder)
  if ((mode & 0o001) === 0) return false
  return dirname(folder) === folder || isOpen(dirname(folder))
}

// A folder that was moved or copied may stand where the user of the cluster may not go, or may belong to somebody else.
async function requireEntry(home: string): Promise<void> {
  const cluster = join(home, 'cluster')
  if (!(await exists(cluster))) return
  const entering = promisify(execFile)('/bin/sh', ['-c', 'cd "$1"', 'sh', cluster], { cwd: '/', uid: unprivileged, gid: unprivileged })
  await entering.catch((cause: Error) => {
    throw new PostgresError(
      `PostgreSQL cannot open ${cluster}: when Postwire runs as root, PostgreSQL runs as the user ${unprivileged}. Run Postwire as the user that ran it before, or let everybody enter the folders above (chmod o+x) and give the database to that user (chown -R ${unprivileged}:${unprivileged} ${home}).`,
      { cause },
    )
  })
}
