// `npm run codegen` writes schema.graphql and the typed documents of the tests and of the dashboard; with `-- --check` it fails when they are out of date.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { type CodegenConfig, generate } from '@graphql-codegen/cli'
import { GraphQLNonNull, GraphQLObjectType, GraphQLSchema, isNullableType, printSchema } from 'graphql'
import { onlyNullWithError } from './src/kit/field-nullability.ts'
import { schema } from './src/server/graphql/schema.ts'

const root = import.meta.dirname
const documents = join(root, 'test/help/graphql/')
const dashboard = join(root, 'src/dashboard/')
const types = {
  enumsAsTypes: true,
  useTypeImports: true,
  scalars: { Date: 'string', DateTime: 'string', JSON: 'unknown', ID: 'string' },
}

const printed = printSchema(schema)
const withoutFailures = printSchema(failuresApart(schema))
const config: CodegenConfig = {
  ignoreNoDocuments: true,
  silent: true,
  emitLegacyCommonJSImports: false,
  importExtension: '.ts',
  generates: {
    [join(root, 'schema.graphql')]: { schema: printed, plugins: ['schema-ast'] },
    [documents]: {
      schema: withoutFailures,
      preset: 'client',
      documents: [join(root, 'test/**/*.test.ts')],
      presetConfig: { fragmentMasking: false },
      config: { ...types, documentMode: 'string' },
    },
    // Parsed documents: urql sends an empty operation for those that are text.
    [join(dashboard, 'graphql/')]: {
      schema: withoutFailures,
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

/** The schema for a client that takes an answer in which a query has failed for none, as the dashboard and the tests do: there no query is null. */
function failuresApart(whole: GraphQLSchema): GraphQLSchema {
  const { query, types, ...rest } = whole.toConfig()
  if (!query) throw new Error('There are no queries')
  const { fields, ...type } = query.toConfig()
  for (const field of Object.values(fields)) {
    if (isNullableType(field.type) && field.extensions?.[onlyNullWithError] === true) field.type = new GraphQLNonNull(field.type)
  }
  return new GraphQLSchema({ ...rest, types: types.filter((one) => one !== query), query: new GraphQLObjectType({ ...type, fields }) })
}
