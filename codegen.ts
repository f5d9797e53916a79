// `npm run codegen` writes schema.graphql and the typed documents of the tests and of the dashboard; with `-- --check` it fails when they are out of date.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { type CodegenConfig, generate } from '@graphql-codegen/cli'
import { printSchema } from 'graphql'
import { schema } from './src/server/graphql/schema.ts'

const root = import.meta.dirname
const documents = join(root, 'test/help/graphql/')
const dashboard = join(root, 'src/dashboard/')
const types = {
  enumsAsTypes: true,
  useTypeImports: true,
  scalars: { Date: 'string', DateTime: 'string', JSON: 'unknown', ID: 'string' },
}

const config: CodegenConfig = {
  schema: printSchema(schema),
  ignoreNoDocuments: true,
  silent: true,
  emitLegacyCommonJSImports: false,
  importExtension: '.ts',
  generates: {
    [join(root, 'schema.graphql')]: { plugins: ['schema-ast'] },
    [documents]: {
      preset: 'client',
      documents: [join(root, 'test/**/*.test.ts')],
      presetConfig: { fragmentMasking: false },
      config: { ...types, documentMode: 'string' },
    },
    // Parsed documents: urql sends an empty operation for those that are text.
    [join(dashboard, 'graphql/')]: {
      preset: 'client',
      documents: [join(dashboard, '**/*.graphql')],
      presetConfig: { fragmentMasking: false },
      config: types,
    },
  },
}

const files: { filename: string; content: string }[] = await generate(config, false)
const stale: string[] = []
for (const { filename, content } of files) {
  const existing = await readFile(filename, 'utf8').catch(() => '')
  if (existing === content) continue
  stale.push(relative(root, filename))
  if (process.argv.includes('--check')) continue
  await mkdir(dirname(filename), { recursive: true })
  await writeFile(filename, content)
}

const [verb, hint] = process.argv.includes('--check') ? ['out of date', '; npm run codegen updates them'] : ['written', '']
process.stdout.write(stale.length === 0 ? 'Generated files are up to date.\n' : `${verb}: ${stale.join(', ')}${hint}\n`)
process.exit(process.argv.includes('--check') && stale.length > 0 ? 1 : 0)
