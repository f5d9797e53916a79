import { type ChildProcess, fork, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { LoadPlan, LoadResult } from './load.ts'

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

/** What the program and the scripts that stand for it are started with, as npm start does. */
export const startEnv = { PATH: process.env.PATH, MALLOC_ARENA_MAX: '2' }

/** Starts a script of this folder in a separate process and waits for its first message. */
export async function helper(file: string, args: readonly string[] = [], env = process.env): Promise<ChildProcess> {
  const child = fork(here(file), [...args], { env: { ...startEnv, ...env } })
  await new Promise((done, fail) => {
    child.once('message', done)
    child.once('exit', (code) => fail(new Error(`${file} ended with ${code}`)))
  })
  return child
}

/** Starts Postwire as in production and, unless it is a worker, waits until it answers. */
export async function postwire(env: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, [here('../../src/start/launch.js')], {
    env: { ...startEnv, LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (env.ROLE === 'worker') return child
  for (let tries = 0; ; tries++) {
    const answer = await fetch(`http://127.0.0.1:${env.PORT}/readyz`).catch(() => undefined)
    if (answer?.ok) return child
    if (child.exitCode !== null || tries > 200) {
      await end(child)
      throw new Error('Postwire did not start')
    }
    await new Promise((next) => setTimeout(next, 100))
  }
}

/** Ends a process and waits until it has ended. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  await ended
}

/** Runs one plan in a new load generator. */
export async function load(plan: LoadPlan): Promise<LoadResult> {
  const child = fork(here('load.ts'))
  child.send(plan)
  const result = await new Promise<LoadResult>((done, fail) => {
    child.once('message', (message) => done(message as LoadResult))
    child.once('exit', (code) => fail(new Error(`The load generator ended with ${code}`)))
  })
  await end(child)
  if (result.failures > 0) throw new Error(`${result.failures} of ${result.sent} requests failed`)
  return result
}
