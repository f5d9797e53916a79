// Writes src/generated (the database client with its runtime, what browsers get, and the dashboard), then compiles the program. Runs
// after every install. It is plain JavaScript because an install without development packages runs it with whatever Node
// version the machine has. It reads development packages only, so that the program needs none of them at run time.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const folder = fileURLToPath(new URL('./generated/', import.meta.url))
const { resolve } = createRequire(import.meta.url)

if (isInstalled('prisma/package.json')) {
  const { generateClient } = await import('../prisma/generate.js')
  generateClient(folder)
  await writeAssets(join(folder, 'assets'))
}
if (isInstalled('vite')) await buildDashboard(join(folder, 'dashboard'))
else if (!existsSync(join(folder, 'dashboard'))) console.error('vite is not installed, so the dashboard is not built: the server has none.')
if (!existsSync(folder)) {
  console.error(
    'src/generated is missing and cannot be written without development packages: copy it from a full install (see Dockerfile), or run "npm ci" and then "npm prune --omit=dev".',
  )
} else if (process.features.typescript) {
  compile()
}

function isInstalled(file) {
  try {
    return resolve(file) !== undefined
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return false
    throw error
  }
}

// What src/server/assets.ts serves: GraphiQL as one page, scripts and styles included, and the script that renders the API
// reference. Both work without Internet access. They are compressed and read from disk: imported as modules they would take
// 50 MB of memory, most of it for parts of their packages that are never used.
async function writeAssets(to) {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
  const graphiql = renderGraphiQL({
    title: 'Postwire GraphiQL',
    endpoint: '/graphql',
    defaultQuery: readFileSync(new URL('./server/graphql/welcome.graphql', import.meta.url), 'utf8'),
    headers: JSON.stringify({ Authorization: 'Bearer ' }, null, 2),
    defaultEditorToolsVisibility: 'headers',
    shouldPersistHeaders: false,
    subscriptionsProtocol: 'SSE',
  })
  const script = resolve('rapidoc')
  // The licences require that their notices stay with every copy.
  const notices = [join(dirname(script), '..', 'LICENSE.txt'), `${script}.LICENSE.txt`].map((file) => readFileSync(file, 'utf8'))
  const reference = `/*!\n${notices.join('\n').replaceAll('*/', '* /')}\n*/\n${readFileSync(script, 'utf8')}`
  mkdirSync(to, { recursive: true })
  writeFileSync(join(to, 'graphiql.html.gz'), gzipSync(graphiql))
  writeFileSync(join(to, 'rapidoc.js.gz'), gzipSync(reference))
}

// What src/server/dashboard.ts serves, with each file compressed beside it.
async function buildDashboard(to) {
  const { build } = await import('vite')
  await build({ configFile: fileURLToPath(new URL('./dashboard/vite.config.ts', import.meta.url)) })
  for (const { name, parentPath } of readdirSync(to, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())) {
    const content = readFileSync(join(parentPath, name))
    writeFileSync(join(parentPath, `${name}.gz`), gzipSync(content, { level: 9 }))
    writeFileSync(join(parentPath, `${name}.br`), brotliCompressSync(content))
  }
}

// A start with invalid settings loads the whole program and does nothing else, so that its compiled code is on disk before
// the first real start.
function compile() {
  const start = fileURLToPath(new URL('./start/launch.js', import.meta.url))
  const { stderr } = spawnSync(process.execPath, [start], { env: { ...process.env, PORT: 'none' }, encoding: 'utf8' })
  if (!/PORT/.test(stderr)) console.error(`The program cannot be loaded, and will not start: ${stderr}`)
}
