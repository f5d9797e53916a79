// The door of `npm start`. Plain JavaScript, so that a Node too old to read TypeScript can still say so.
//
// The script is "exec node … || node …": the shell of npm becomes this process, so that a signal npm passes on arrives
// here and npm waits for the end. Windows knows no exec and runs what stands behind ||.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

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

// Compiled code is kept beside the packages: a second start reads it instead of compiling again.
module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))

await import('./main.ts').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  console.error(`Postwire is not installed completely: run "npm ci" (without --ignore-scripts). Missing: ${error.message}`)
  process.exit(1)
})
