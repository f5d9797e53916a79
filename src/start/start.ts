import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { MigrationError } from '../../prisma/migrate.ts'
import { type Config, ConfigError } from '../kit/config.ts'
import type { Log } from '../kit/log.ts'
import { isDatabaseAway, isPostgresError } from '../kit/postgres/db.ts'
import { PostgresError } from '../kit/postgres/home.ts'
import { randomSecret } from '../kit/vault.ts'

const patienceMs = 10_000

/** The port is taken, or may not be taken: a sentence for the person at the terminal. */
export class PortError extends Error {}

/**
 * Resolves with the name of the first signal to stop. After it the process has 10 s to close; a second signal ends it
 * at once. Listens from the call on.
 */
export function untilSignal(): Promise<string> {
  return new Promise((resolve) => {
    let stopping = false
    const heard = (signal: NodeJS.Signals): void => {
      if (stopping) process.exit(130)
      stopping = true
      setTimeout(() => giveUp(), patienceMs).unref()
      resolve(signal)
    }
    process.on('SIGINT', heard)
    process.on('SIGTERM', heard)
  })
}

function giveUp(): never {
  console.error(`Postwire did not close within ${patienceMs / 1000} s and ends now; mail under way is taken over by the next worker.`)
  process.exit(1)
}

/** Logs promises that failed unheard: a bug of ours in one request, which must not end everybody else's. */
export function reportBugs(log: Log): void {
  process.on('unhandledRejection', (reason) => log.error({ err: reason }, 'a promise failed unheard'))
}

/** The installation's secret: APP_SECRET, or outside production one made once and kept in DATA_DIR/secret (mode 600). */
export async function findSecret({ APP_SECRET, DATA_DIR }: Pick<Config, 'APP_SECRET' | 'DATA_DIR'>): Promise<string> {
  if (APP_SECRET !== undefined) return APP_SECRET
  const path = join(DATA_DIR, 'secret')
  await mkdir(DATA_DIR, { recursive: true })
  // "wx": of several processes that start at once exactly one makes it.
  await writeFile(path, randomSecret(), { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return readFile(path, 'utf8')
}

/** Fails with PortError when the port cannot be had, before anything else has been started. */
export async function requireFreePort({ HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>): Promise<void> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(PORT, HOST, resolve)).catch(
    (error: NodeJS.ErrnoException) => {
      throw new PortError(portSentence(error, HOST, PORT), { cause: error })
    },
  )
  await new Promise((resolve) => probe.close(resolve))
}

function portSentence({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} of ${host} is in use: stop what listens there, or set PORT to another one (PORT=0 takes a free one).`
  if (code === 'EACCES') return `Port ${port} may not be used by this user: set PORT to one above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST ${host} is no address of this machine.`
  return `Port ${port} of ${host} cannot be used: ${message}.`
}

/** Why a start failed: one clear sentence for what a person can change, the whole stack for a bug. */
export function explain(error: unknown): string {
  if (error instanceof ConfigError) return `Postwire cannot start with these settings:\n${error.message}`
  if (error instanceof PortError || error instanceof PostgresError || error instanceof MigrationError) return error.message
  if (error instanceof AggregateError && error.errors.length > 0) return explain(error.errors[0])
  if (isDatabaseAway(error)) return `The database at DATABASE_URL cannot be reached: ${(error as Error).message}`
  if (isPostgresError(error)) return `The database at DATABASE_URL refused: ${error.message}`
  if (error instanceof Error && isFileTrouble(error)) return `A file could not be used: ${error.message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function isFileTrouble(error: NodeJS.ErrnoException): boolean {
  return ['EACCES', 'EROFS', 'ENOSPC', 'ENOTDIR', 'EPERM'].includes(error.code ?? '') && error.path !== undefined
}
