// Preloaded into a program (`node --import`): on SIGUSR2 it writes the addresses of all modules loaded so far, as a JSON
// list, to the file LOADED_TO.
import { renameSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const loaded = new Set<string>()

registerHooks({
  load(url, context, next) {
    loaded.add(url)
    return next(url, context)
  },
})

process.on('SIGUSR2', () => {
  const file = process.env.LOADED_TO as string
  // Its reader must not see a part of it.
  writeFileSync(`${file}.part`, JSON.stringify([...loaded]))
  renameSync(`${file}.part`, file)
})
