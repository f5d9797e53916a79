import { existsSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import type pg from 'pg'
import { isLoopback } from '../networks.ts'

const scanPriority = 10
const notAllowed = ['EPERM', 'EACCES', 'ESRCH']

/**
 * Lets the process of Postgres behind a connection run when others of the machine do not want to: what scans take of the processors
 * would be taken from this process and all other statements. Where Postgres is on another machine, or belongs to another user, it runs
 * as it is.
 */
export function giveWay(client: pg.PoolClient): void {
  const { host, processID: pid } = client as pg.PoolClient & { host?: string; processID?: number | null }
  if (!pid || !host || !isLoopback(host) || !isPostgres(pid)) return
  try {
    setPriority(pid, scanPriority)
  } catch (error) {
    if (!notAllowed.includes((error as { info?: { code?: string } }).info?.code ?? '')) throw error
  }
}

// An address of this machine may lead to another one, whose processes have other numbers.
function isPostgres(pid: number): boolean {
  const name = `/proc/${pid}/comm`
  return existsSync(name) && readFileSync(name, 'utf8').trim() === 'postgres'
}
