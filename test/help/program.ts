import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

/** A program under test: a child process in its own process group, with its output so far. */
export interface Program {
  pid: number
  stdout(): string
  stderr(): string
  /** Waits for a match in its standard output; fails when it ends before. */
  says(words: RegExp, withinMs?: number): Promise<RegExpExecArray>
  /** Waits for a match in its standard error, where the log is. */
  logs(words: RegExp, withinMs?: number): Promise<RegExpExecArray>
  /** Sends SIGINT to the whole group, as Ctrl-C in a terminal does. */
  interrupt(): void
  kill(signal: NodeJS.Signals): void
  /** Its exit code, once it has ended. */
  ended: Promise<number | null>
}

/** Starts a program in a folder; `env` replaces settings of this process. */
export function startProgram(command: string, options: string[], { cwd, env }: { cwd: string; env: Record<string, string> }): Program {
  const child = spawn(command, options, { cwd, env: { ...ownEnvironment(), ...env }, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    said.out += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    said.err += chunk
  })
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', (code) => resolve(code)))
  return {
    pid: child.pid as number,
    stdout: () => said.out,
    stderr: () => said.err,
    says: (words, withinMs) => waitForWords(child, () => said, { words, on: 'out', withinMs }),
    logs: (words, withinMs) => waitForWords(child, () => said, { words, on: 'err', withinMs }),
    interrupt: () => void process.kill(-(child.pid as number), 'SIGINT'),
    kill: (signal) => void child.kill(signal),
    ended,
  }
}

// Neither the settings of the person who runs the tests nor those of vitest (NODE_ENV, VITEST) may reach the program; compiled code may.
function ownEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, USER, LANG, TMPDIR, NODE_COMPILE_CACHE } = process.env
  // Demo data with a past takes a first start some seconds, and belongs to its own tests.
  return { PATH, HOME, USER, LANG, TMPDIR, NODE_COMPILE_CACHE, DEMO_HISTORY: 'false' }
}

interface Words {
  words: RegExp
  on: 'out' | 'err'
  withinMs: number | undefined
}

async function waitForWords(child: ChildProcess, said: () => { out: string; err: string }, { words, on, withinMs = 60_000 }: Words) {
  const deadline = Date.now() + withinMs
  while (Date.now() < deadline) {
    const match = words.exec(said()[on])
    if (match) return match
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`It ended without printing ${words}:\n${said().out}\n${said().err}`)
    await sleep(20)
  }
  throw new Error(`It did not print ${words} within ${withinMs} ms:\n${said().out}\n${said().err}`)
}

/** Calls `ask` every 50 ms until its result is truthy and returns that; fails after `withinMs`. */
export async function eventually<T>(ask: () => Promise<T | undefined | false | null>, withinMs = 60_000): Promise<T> {
  const deadline = Date.now() + withinMs
  while (Date.now() < deadline) {
    const found = await ask()
    if (found) return found
    await sleep(50)
  }
  throw new Error(`This did not become true within ${withinMs} ms: ${ask}`)
}
