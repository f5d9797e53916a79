// The door of `npm start`. Plain JavaScript, so that a Node too old to read TypeScript can still say so.
const oldest = 24

if (Number(process.versions.node.split('.')[0]) < oldest) {
  console.error(
    `Postwire needs Node ${oldest} or newer, and this is ${process.versions.node}. "npm ci" brings the right one along for npm scripts: run it (without --ignore-scripts or --omit=dev), then "npm start".`,
  )
  process.exit(1)
}

await import('./main.ts').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  console.error(`Postwire is not installed completely: run "npm ci" (without --ignore-scripts). Missing: ${error.message}`)
  process.exit(1)
})
