import { execFileSync } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { freshFolder } from './folder.ts'

/** A process of this machine. */
export interface Process {
  pid: number
  parent: number
  command: string
}

/** Every running process of this machine. */
export function processes(): Process[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).split('\n')
  return lines.flatMap((line) => {
    const [, pid, parent, state = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    return pid === undefined || state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), command }]
  })
}

/** A process and all its descendants. */
export function familyOf(pid: number): Process[] {
  const all = processes()
  const family = all.filter((one) => one.pid === pid)
  for (const member of family) family.push(...all.filter((one) => one.parent === member.pid))
  return family
}

/** A new DATA_DIR, removed after the file's tests, also the cluster if it is in another folder. */
export async function freshDataDir(): Promise<string> {
  const folder = await freshFolder()
  afterAll(async () => {
    const elsewhere = await readFile(join(folder, 'postgres.path'), 'utf8').catch(() => undefined)
    if (elsewhere) await rm(elsewhere, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })
  return folder
}

/** The path of the cluster of the embedded PostgreSQL of a DATA_DIR. */
export async function clusterOf(dataDir: string): Promise<string> {
  return join(await readFile(join(dataDir, 'postgres.path'), 'utf8').catch(() => join(dataDir, 'postgres')), 'cluster')
}
