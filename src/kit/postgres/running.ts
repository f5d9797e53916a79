import { execFile } from 'node:child_process'
import { readFile, rename, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

/** What the last start of a server wrote down. */
export interface ServerRecord {
  password: string
  port: number
  /** The process id of the Postwire that started it. */
  owner: number
}

/** The embedded PostgreSQL is missing or cannot be started; the message is a sentence for the operator. */
export class PostgresError extends Error {}

const run = promisify(execFile)

/** Reads the record of the last start, or undefined before the first. Fails with PostgresError when the file is damaged. */
export async function readRecord(path: string): Promise<ServerRecord | undefined> {
  const text = await readIfExists(path)
  if (text === undefined) return
  try {
    return JSON.parse(text) as ServerRecord
  } catch (cause) {
    throw new PostgresError(`${path} is damaged, which has the password of the embedded database: restore it from a backup.`, { cause })
  }
}

/** Writes the record of a start. It is replaced as a whole, so that whoever reads it, and a crash, find the one before or this one. */
export async function writeRecord(path: string, record: ServerRecord): Promise<void> {
  const draft = `${path}.new`
  await writeFile(draft, JSON.stringify(record), { mode: 0o600, flush: true })
  await rename(draft, path)
}

/** The process id of the server that runs on a cluster, or undefined when none does, also if its lock file names a process. */
export async function serverOf(cluster: string): Promise<number | undefined> {
  const pid = Number((await readIfExists(join(cluster, 'postmaster.pid')))?.split('\n')[0] ?? 0)
  return pid > 0 && isAlive(pid) && (await isServer(pid, cluster)) ? pid : undefined
}

// The folder that a server works in is its cluster, also when that has been moved meanwhile, and also when another folder has a
// copy of its lock file. In containers it may not be visible: there the path counts with which the server was started.
async function isServer(pid: number, cluster: string): Promise<boolean> {
  const viaProc = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined)
  const command = viaProc ?? (await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }))).stdout
  const [program = '', ...options] = command.trim().split(/\0| -[cD] /)
  if (!basename(program).startsWith('postgres')) return false
  if (await exists(`/proc/${pid}/cwd`)) return isSame(`/proc/${pid}/cwd`, cluster)
  return (await Promise.all(options.map((option) => isSame(option, cluster)))).includes(true)
}

/** Whether a process runs, whoever it belongs to. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether two paths lead to one folder, or file, such as through a symbolic link; false when one of them leads nowhere. */
export async function isSame(one: string, other: string): Promise<boolean> {
  const [left, right] = await Promise.all([one, other].map((path) => stat(path).catch(() => undefined)))
  return left !== undefined && right !== undefined && left.dev === right.dev && left.ino === right.ino
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

/** Whether a path leads to something that this process can see. */
export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
