import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { MigrationError } from '../../prisma/migrate.ts'
import { type Config, ConfigError } from '../kit/config.ts'
import type { Log } from '../kit/log.ts'
import { isDatabaseAway, isPostgresError } from '../kit/postgres/db.ts'
import { PostgresError } from '../kit/postgres/home.ts'
import { randomSecret } from '../kit/vault.ts'

const patienceMs = 10_000
const sameSignalMs = 1_000

/** The port is taken, or may not be taken: a sentence for the person at the terminal. */
export class PortError extends Error {}

/** A signal came while the program was starting: nothing is wrong. */
export class StoppedError extends Error {}

/** The signal to stop, which may come at any time: also while the program starts. */
export interface Stop {
  /** Resolves with the name of the first signal. */
  signal: Promise<string>
  /** Throws StoppedError once the signal has come: asked between the steps of a start. */
  check(): void
  /** Does a step of a start that may be left where it is; throws StoppedError as soon as the signal comes. */
  during<T>(step: () => Promise<T>): Promise<T>
}

/**
 * Listens for SIGINT, SIGTERM and SIGHUP from the call on. After the first one the process has 10 s to close; another one
 * ends it at once, unless it comes within a second: npm passes on the Ctrl-C that the terminal sends to everybody.
 */
export function listenForStop(): Stop {
  const { promise: signal, resolve } = Promise.withResolvers<string>()
  let first: { name: string; at: number } | undefined
  const handle = (name: NodeJS.Signals): void => {
    if (first && performance.now() - first.at > sameSignalMs) process.exit(130)
    if (first) return
    first = { name, at: performance.now() }
    setTimeout(() => giveUp(), patienceMs).unref()
    resolve(name)
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, handle)
  const check = (): void => {
    if (first) throw new StoppedError(`Stopped by ${first.name} before the start was complete.`)
  }
  const stopped = signal.then(check) as Promise<never>
  stopped.catch(() => undefined)
  return {
    signal,
    check,
    during(step) {
      check()
      return Promise.race([step(), stopped])
    },
  }
}

function giveUp(): never {
  console.error(`Postwire did not close within ${patienceMs / 1000} s and ends now; mail under way is taken over by the next worker.`)
  process.exit(1)
}

/** Lets V8 enlarge the young generation as the load needs it, which start/launch.js denies while the program loads. */
export function allowYoungGrowth(): void {
  setFlagsFromString('--semi-space-growth-factor=2')
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
  if (error instanceof StoppedError || error instanceof PortError || error instanceof PostgresError || error instanceof MigrationError)
    return error.message
  if (error instanceof AggregateError && error.errors.length > 0) return explain(error.errors[0])
  if (isDatabaseAway(error)) return `The database at DATABASE_URL cannot be reached: ${(error as Error).message}`
  if (isPostgresError(error)) return `The database at DATABASE_URL refused: ${error.message}`
  if (error instanceof Error && isFileTrouble(error)) return `A file could not be used: ${error.message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function isFileTrouble(error: NodeJS.ErrnoException): boolean {
  return ['EACCES', 'EROFS', 'ENOSPC', 'ENOTDIR', 'EPERM'].includes(error.code ?? '') && error.path !== undefined
}
