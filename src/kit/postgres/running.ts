import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

/** What the last start of a server wrote down. */
export interface ServerRecord {
  password: string
  port: number
  /** The process id of the Postwire that started it. */
  owner: number
}

const run = promisify(execFile)

/** Reads the record of the last start, or undefined before the first. */
export async function readRecord(path: string): Promise<ServerRecord | undefined> {
  const text = await readIfExists(path)
  return text === undefined ? undefined : (JSON.parse(text) as ServerRecord)
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
  if (await exists(`/proc/${pid}/cwd`)) return isSameFolder(`/proc/${pid}/cwd`, cluster)
  return (await Promise.all(options.map((option) => isSameFolder(option, cluster)))).includes(true)
}

/** Whether a process runs, whoever it belongs to. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether two paths lead to one folder, such as through a symbolic link; false when one of them leads nowhere. */
export async function isSameFolder(one: string, other: string): Promise<boolean> {
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
