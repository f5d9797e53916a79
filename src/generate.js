// Writes src/generated (the database client with its runtime, what browsers get, and the dashboard), then compiles the program. Runs
// after every install. It is plain JavaScript because an install without development packages runs it with whatever Node
// version the machine has. It reads development packages only, so that the program needs none of them at run time.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip, gzipSync } from 'node:zlib'

const folder = fileURLToPath(new URL('./generated/', import.meta.url))
const { resolve } = createRequire(import.meta.url)

// The program and what browsers get are made beside each other: two cores finish in half the time.
await Promise.all([makeProgram(), makeDashboard()])

async function makeProgram() {
  if (isInstalled('prisma/package.json')) {
    const { generateClient } = await import('../prisma/generate.js')
    await generateClient(folder)
  }
  if (!existsSync(join(folder, 'prisma'))) {
    console.error(
      'src/generated is missing and cannot be written without development packages: copy it from a full install (see Dockerfile), or run "npm ci" and then "npm prune --omit=dev".',
    )
  } else if (process.features.typescript) {
    await compile()
  }
}

async function makeDashboard() {
  if (isInstalled('prisma/package.json')) await writeAssets(join(folder, 'assets'))
  if (isInstalled('vite')) await buildDashboard(join(folder, 'dashboard'))
  else if (!existsSync(join(folder, 'dashboard')))
    console.error('vite is not installed, so the dashboard is not built: the server has none.')
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
  const files = readdirSync(to, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  await Promise.all(files.map(({ name, parentPath }) => compress(join(parentPath, name))))
}

async function compress(file) {
  const content = readFileSync(file)
  const [gz, br] = await Promise.all([promisify(gzip)(content, { level: 9 }), promisify(brotliCompress)(content)])
  writeFileSync(`${file}.gz`, gz)
  writeFileSync(`${file}.br`, br)
}

// A start with invalid settings loads the whole program and does nothing else, so that its compiled code is on disk before
// the first real start.
async function compile() {
  const start = fileURLToPath(new URL('./start/launch.js', import.meta.url))
  const loading = spawn(process.execPath, [start], { env: { ...process.env, PORT: 'none' }, stdio: ['ignore', 'ignore', 'pipe'] })
  const problems = await text(loading.stderr)
  if (!/PORT/.test(problems)) console.error(`The program cannot be loaded, and will not start: ${problems}`)
}
