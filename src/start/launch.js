// What `npm start` runs. Plain JavaScript, so that a Node too old to read TypeScript can still say so.
//
// The script is "exec node … || node …": the shell of npm becomes this process, so that a signal npm passes on arrives
// here and npm waits for the end. Windows knows no exec and runs what stands behind ||.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import v8 from 'node:v8'

const oldest = 24

if (Number(process.versions.node.split('.')[0]) < oldest) {
  console.error(
    `Postwire needs Node ${oldest} or newer, and this is ${process.versions.node}. "npm ci" brings the right one along for npm scripts: run it (without --ignore-scripts or --omit=dev), then "npm start".`,
  )
  process.exit(1)
}

if (existsSync('.env')) process.loadEnvFile('.env')

// npm passes SIGINT and SIGTERM on, but not its own death by anything else: without npm nobody could stop this process.
if (process.env.npm_lifecycle_event === 'start') {
  const npm = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === npm) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 500)
  watch.unref()
}

// What is loaded stays, so a start needs no large young generation: main.ts lets it grow when requests come. And only what
// runs very often of the database client's engine is optimized: doing that as eagerly as V8 does by itself takes 25 MB and
// most of the first second.
v8.setFlagsFromString('--semi-space-growth-factor=1')
v8.setFlagsFromString('--wasm-tiering-budget=100000000')

// Compiled code is kept beside the packages: a start reads it instead of compiling again, with the flags it was made with.
module.enableCompileCache?.(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)))

await import('../main.ts').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  console.error(`Postwire is not installed completely: run "npm ci" (without --ignore-scripts). Missing: ${error.message}`)
  process.exit(1)
})
