// What `npm start` runs. Plain JavaScript, so that a Node version too old for TypeScript can still report that.
//
// The script is "exec env … node … || node …": exec replaces npm's shell by this process, so that it receives the signals that npm
// forwards and npm waits for its end. Windows has no exec and runs the command after ||. MALLOC_ARENA_MAX, which the C library of
// Linux reads before anything here runs, lets all threads allocate from two arenas: by default each has one, eight per processor, and
// what a thread has freed stays in its arena.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import v8 from 'node:v8'

const minVersion = 24

if (Number(process.versions.node.split('.')[0]) < minVersion) {
  console.error(
    `Postwire needs Node ${minVersion} or newer, and this is ${process.versions.node}. "npm ci" installs the right one for npm scripts: run it (without --ignore-scripts or --omit=dev), then "npm start".`,
  )
  process.exit(1)
}

if (existsSync('.env')) process.loadEnvFile('.env')

// Days, months and what templates print of dates are those of UTC, whatever the time zone of the machine. Before anything reads a date
// or starts a thread.
process.env.TZ = 'UTC'

// npm forwards SIGINT and SIGTERM. When npm itself dies in another way, this process must stop too, or it would keep running
// unnoticed.
if (process.env.npm_lifecycle_event === 'start') {
  const npm = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === npm) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 500)
  watch.unref()
}

// Most of what is loaded at start is never freed, so a large young generation would be wasted until requests come: main.ts
// then lets it grow. Of the database client's WebAssembly engine only code that runs very often is optimized: V8's default
// costs 25 MB and most of the first second. The old generation is collected when it has grown by 40 %: V8's default lets it grow
// several times over.
v8.setFlagsFromString('--heap-growing-percent=40')
v8.setFlagsFromString('--semi-space-growth-factor=1')
v8.setFlagsFromString('--wasm-tiering-budget=100000000')

// Compiled code is cached below node_modules: later starts load it instead of compiling again. It depends on the V8 flags, so
// they are set first.
module.enableCompileCache?.(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)))

await import('../main.ts').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  console.error(`Postwire is not installed completely: run "npm ci" (without --ignore-scripts). Missing: ${error.message}`)
  process.exit(1)
})
