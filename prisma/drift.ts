import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum, type SqlDriverAdapter, type SqlResultSet } from '@prisma/driver-adapter-utils'
import { SchemaEngine } from '@prisma/schema-engine-wasm'

/**
 * The SQL that would turn the database at `url` into one of the datamodel: their differences. Partial and expression
 * indexes, checks and storage settings are not compared.
 */
export async function driftSql(url: string, datamodel: string): Promise<string> {
  const files = [{ path: 'schema.prisma', content: datamodel }]
  const engine = await SchemaEngine.new({ datamodels: [['schema.prisma', datamodel]] }, () => undefined, catalogueReader(url))
  const filters = { externalTables: ['public.postwire_migrations'], externalEnums: [] }
  const from = { tag: 'schemaDatasource' as const, files, configDir: import.meta.dirname }
  const { stdout } = await engine.diff({ from, to: { tag: 'schemaDatamodel', files }, script: true, exitCode: null, filters })
  engine.free()
  return (stdout ?? '').trim()
}

function catalogueReader(url: string) {
  const factory = new PrismaPg({ connectionString: url })
  const connect = factory.connect.bind(factory)
  factory.connect = async () => {
    const adapter = await connect()
    adapter.queryRaw = charReader(adapter)
    return adapter
  }
  return bindMigrationAwareSqlAdapterFactory(factory)
}

// The adapter cannot read the "char" columns of the catalogue: they are selected as text and declared as characters.
const chars = /\b(?:\w+\.)?(?:contype|confdeltype|confupdtype)\b(?!\s*=)/g

function charReader(adapter: SqlDriverAdapter): SqlDriverAdapter['queryRaw'] {
  const read = adapter.queryRaw.bind(adapter)
  return async (query): Promise<SqlResultSet> => {
    const result = await read({ ...query, sql: query.sql.replace(chars, '$&::text') })
    const at = result.columnNames.indexOf('constraint_type')
    if (at !== -1) result.columnTypes[at] = ColumnTypeEnum.Character
    return result
  }
}
