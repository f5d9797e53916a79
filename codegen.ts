// `npm run codegen` writes schema.graphql and the typed documents of the tests; with `-- --check` it fails when they are out of date.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { type CodegenConfig, generate } from '@graphql-codegen/cli'
import { printSchema } from 'graphql'
import { schema } from './src/server/graphql/schema.ts'

const root = import.meta.dirname
const documents = join(root, 'test/help/graphql/')

const config: CodegenConfig = {
  schema: printSchema(schema),
  documents: [join(root, 'test/**/*.test.ts')],
  ignoreNoDocuments: true,
  silent: true,
  emitLegacyCommonJSImports: false,
  importExtension: '.ts',
  generates: {
    [join(root, 'schema.graphql')]: { plugins: ['schema-ast'] },
    [documents]: {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        documentMode: 'string',
        enumsAsTypes: true,
        useTypeImports: true,
        scalars: { Date: 'string', DateTime: 'string', JSON: 'unknown', ID: 'string' },
      },
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
