import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { MigrationError } from '../../prisma/migrate.ts'
import { type Config, ConfigError } from '../kit/config.ts'
import type { Log } from '../kit/log.ts'
import { isDatabaseUnreachable, isPostgresError } from '../kit/postgres/db.ts'
import { PostgresError } from '../kit/postgres/running.ts'
import { randomSecret } from '../kit/vault.ts'

const closeMs = 10_000
const repeatedSignalMs = 1_000

/** The port is in use or not allowed; the message is a sentence for the operator. */
export class PortError extends Error {}

/** A signal to stop came while the program was starting; this is not an error. */
export class StoppedError extends Error {}

/** The signal to stop, which may come at any time, also while the program starts. */
export interface Stop {
  /** Resolves with the name of the first signal. */
  signal: Promise<string>
  /** Throws StoppedError when the signal has come; for use between the steps of a start. */
  check(): void
  /** Runs a step of a start that may be abandoned; throws StoppedError as soon as the signal comes. */
  during<T>(step: () => Promise<T>): Promise<T>
}

/**
 * Listens for SIGINT, SIGTERM and SIGHUP. After the first signal the process has 10 s to close. Another one ends it
 * immediately, by SIGKILL, unless it comes within a second: npm forwards a Ctrl-C that the terminal has already sent to every process.
 */
export function listenForStop(): Stop {
  const { promise: signal, resolve } = Promise.withResolvers<string>()
  let first: { name: string; at: number } | undefined
  const handle = (name: NodeJS.Signals): void => {
    if (first && performance.now() - first.at > repeatedSignalMs) endNow()
    if (first) return
    first = { name, at: performance.now() }
    setTimeout(() => giveUp(), closeMs).unref()
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

function giveUp(): void {
  console.error(`Postwire did not close within ${closeMs / 1000} s and exits now; another worker takes over the emails it was sending.`)
  endNow()
}

// `process.exit` would wait for what native code has begun, such as decoding a picture.
function endNow(): void {
  process.kill(process.pid, 'SIGKILL')
}

// V8 lets it grow to 96 MB and more. With less, objects that live as long as a chunk of an import become old, and with launch.js's
// --heap-growing-percent they are removed soon: an import adds 35 MB to the memory of the program instead of 200.
const maxYoungBytes = 16 * 1024 * 1024

/** Lets V8 enlarge the young generation under load up to a bound; start/launch.js prevents it while the program loads. */
export function allowYoungGrowth(): void {
  const decide = (): void => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    const mayGrow = (young?.space_size ?? 0) < maxYoungBytes
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`)
  }
  decide()
  new PerformanceObserver(decide).observe({ entryTypes: ['gc'] })
}

/** Logs unhandled promise rejections: a bug in one request must not end the process. */
export function reportBugs(log: Log): void {
  process.on('unhandledRejection', (reason) => log.error({ err: reason }, 'unhandled promise rejection'))
}

/** The installation's secret: APP_SECRET, or outside production one that is generated once and stored in DATA_DIR/secret (mode 600). */
export async function findSecret({ APP_SECRET, DATA_DIR }: Pick<Config, 'APP_SECRET' | 'DATA_DIR'>): Promise<string> {
  if (APP_SECRET !== undefined) return APP_SECRET
  const path = join(DATA_DIR, 'secret')
  const stored = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (stored !== undefined) return stored
  await mkdir(DATA_DIR, { recursive: true })
  // Of several processes that start at once exactly one gives it its name, as a whole: none reads it before it is written.
  const own = `${path}.${randomUUID()}`
  await writeFile(own, randomSecret(), { mode: 0o600 })
  try {
    await link(own, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(own)
  }
  return readFile(path, 'utf8')
}

/** Fails with PortError when the port cannot be used, before anything else is started. */
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
    return `Port ${port} of ${host} is in use: stop the program that listens there, or set PORT to another one (PORT=0 takes a free one).`
  if (code === 'EACCES') return `Port ${port} may not be used by this user: set PORT to one above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST ${host} is not an address of this machine.`
  return `Port ${port} of ${host} cannot be used: ${message}.`
}

/** The text for a failed start: a sentence for what the operator can change, the stack for a bug. */
export function explainStartError(error: unknown): string {
  if (error instanceof ConfigError) return `Postwire cannot start with these settings:\n${error.message}`
  if (error instanceof StoppedError || error instanceof PortError || error instanceof PostgresError || error instanceof MigrationError)
    return error.message
  if (error instanceof AggregateError && error.errors.length > 0) return explainStartError(error.errors[0])
  if (isDatabaseUnreachable(error)) return `The database at DATABASE_URL cannot be reached: ${(error as Error).message}`
  if (isPostgresError(error)) return `The database at DATABASE_URL returned an error: ${error.message}`
  // Another program took the port after it was found free.
  if (error instanceof Error && isListenError(error)) {
    // A socket in a folder has no port.
    if (error.port < 0)
      return `Nothing can be written to ${dirname(error.address)} (${error.message}): set DATA_DIR to a folder of this user.`
    return portSentence(error, error.address, error.port)
  }
  if (error instanceof Error && isFileError(error)) return `A file could not be used: ${error.message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function isListenError(error: NodeJS.ErrnoException): error is NodeJS.ErrnoException & { address: string; port: number } {
  return error.syscall === 'listen' && 'address' in error && 'port' in error
}

function isFileError(error: NodeJS.ErrnoException): boolean {
  return (
    ['EACCES', 'EEXIST', 'EISDIR', 'ENOENT', 'ENOSPC', 'ENOTDIR', 'EPERM', 'EROFS'].includes(error.code ?? '') && error.path !== undefined
  )
}
