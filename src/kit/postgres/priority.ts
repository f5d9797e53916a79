import { existsSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { isLoopback } from '../networks.ts'

const scanPriority = 10
const notAllowed = ['EPERM', 'EACCES', 'ESRCH', 'ENOENT']

/** A connection, which knows these, although its types do not say so. */
export interface Backend {
  host?: string
  /** The process of Postgres behind it. */
  processID?: number | null
}

/**
 * Lets the process of Postgres behind a connection run when others of the machine do not want to: what scans take of the processors
 * would be taken from this process and all other statements. Where Postgres is on another machine, or belongs to another user, it runs
 * as it is.
 */
export function giveWay({ host, processID: pid }: Backend): void {
  if (!pid || !host || !isLoopback(host)) return
  try {
    if (isPostgres(pid)) setPriority(pid, scanPriority)
  } catch (error) {
    // A system error of Node has its code within; that of a file, whose process may have ended meanwhile, on itself.
    const { code, info } = error as NodeJS.ErrnoException & { info?: { code?: string } }
    if (!notAllowed.includes(info?.code ?? code ?? '')) throw error
  }
}

// An address of this machine may lead to another one, whose processes have other numbers.
function isPostgres(pid: number): boolean {
  const name = `/proc/${pid}/comm`
  return existsSync(name) && readFileSync(name, 'utf8').trim() === 'postgres'
}
