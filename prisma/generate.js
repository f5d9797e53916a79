import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const engine = 'query_compiler_fast_bg.postgresql'

/**
 * Writes the Prisma client and Pothos's types from prisma/schema into a folder, with the part of the client's runtime that
 * this database needs: the package @prisma/client contains ten engines in 72 MB, and the client would load one of them, 4 MB,
 * as Base64 that stays in memory. Ends the process when Prisma refuses the schema.
 */
export async function generateClient(folder) {
  await runPrisma()
  const client = join(folder, 'prisma')
  const runtime = join(client, 'runtime')
  mkdirSync(runtime, { recursive: true })
  copyRuntime(runtime)
  for (const file of readdirSync(client, { recursive: true })) {
    if (file.endsWith('.ts') && !file.startsWith('runtime')) rewriteImports(runtime, join(client, file))
  }
  loadBinary(join(client, 'internal/class.ts'))
}

// The generators need no schema engine, but the command line looks for one and would download it: the path of any existing
// file prevents that.
async function runPrisma() {
  const config = fileURLToPath(new URL('./config.ts', import.meta.url))
  const generating = spawn(process.execPath, [require.resolve('prisma/build/index.js'), 'generate', '--config', config, '--no-hints'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' },
  })
  const [problems, [status]] = await Promise.all([text(generating.stderr), once(generating, 'close')])
  if (status === 0) return
  console.error(problems)
  process.exit(status ?? 1)
}

function copyRuntime(to) {
  const from = dirname(require.resolve('@prisma/client/runtime/client'))
  const files = ['client.mjs', 'client.d.mts', 'index-browser.mjs', 'index-browser.d.mts', `${engine}.mjs`]
  for (const file of files) {
    // Without the source maps, which are not copied.
    const text = readFileSync(join(from, file), 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '')
    writeFileSync(join(to, file), text)
  }
  const { wasm } = require(join(from, `${engine}.wasm-base64.js`))
  writeFileSync(join(to, `${engine}.wasm`), Buffer.from(wasm, 'base64'))
  copyFileSync(join(dirname(from), 'LICENSE'), join(to, 'LICENSE'))
}

function rewriteImports(runtime, file) {
  const path = relative(dirname(file), runtime).replaceAll('\\', '/')
  const here = path.startsWith('.') ? path : `./${path}`
  const text = readFileSync(file, 'utf8')
  writeFileSync(
    file,
    text.replace(/"@prisma\/client\/runtime\/([\w.-]+?)(?:\.mjs)?"/g, (_import, name) => `"${here}/${name}.mjs"`),
  )
}

function loadBinary(file) {
  const text = readFileSync(file, 'utf8')
  const base64 = new RegExp(
    `const \\{ wasm \\} = await import\\("[^"]*${engine}\\.wasm-base64\\.mjs"\\)\\s+return await decodeBase64AsWasm\\(wasm\\)`,
  )
  if (!base64.test(text)) throw new Error(`${file} loads its engine in a way that prisma/generate.js does not expect`)
  const binary = `const { readFile } = await import("node:fs/promises")
    return new WebAssembly.Module(await readFile(new URL("../runtime/${engine}.wasm", import.meta.url)))`
  writeFileSync(
    file,
    text.replace(base64, () => binary),
  )
}
