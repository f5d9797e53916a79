import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import { SchemaEngine } from '@prisma/schema-engine-wasm'
import { readMigrations } from './migrate.ts'

// The engine reports its panics to this object; without it their message is only "unreachable".
Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: () => undefined } })

/**
 * The SQL, written by Prisma's migration engine, that turns a database of one datamodel into one of another; '' when they
 * are equal. The server at `url` is only asked for its version.
 */
export async function draftSql(url: string, before: string, after: string): Promise<string> {
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString: url }))
  const engine = await SchemaEngine.new({ datamodels: [['schema.prisma', after]] }, () => undefined, adapter)
  const filters = { externalTables: [], externalEnums: [] }
  const model = (content: string) => ({ tag: 'schemaDatamodel' as const, files: [{ path: 'schema.prisma', content }] })
  const from = before === '' ? { tag: 'empty' as const } : model(before)
  const { stdout } = await engine.diff({ from, to: model(after), script: true, exitCode: null, filters })
  engine.free()
  const sql = (stdout ?? '').trim()
  return sql.includes('This is an empty migration') ? '' : sql
}

const schemaFolder = new URL('./schema/', import.meta.url)
const migrationsFolder = new URL('./migrations/', import.meta.url)

/** The current datamodel: every file of prisma/schema, in order of their names. */
export async function readDatamodel(): Promise<string> {
  const names = (await readdir(schemaFolder)).filter((name) => name.endsWith('.prisma')).sort()
  return (await Promise.all(names.map((name) => readFile(new URL(name, schemaFolder), 'utf8')))).join('\n')
}

/**
 * Writes the next migration: the SQL from the newest migration's datamodel to the current one, and a copy of the current
 * one. With `replace` it rewrites the newest migration (except its beyond.sql), which must not have been released. Returns
 * the name of the folder, or null when the datamodel has not changed.
 */
export async function draftMigration(url: string, title: string, replace: boolean): Promise<string | null> {
  const migrations = await readMigrations()
  const newest = migrations.at(-1)
  const before = migrations.at(replace ? -2 : -1)
  const after = await readDatamodel()
  const sql = await draftSql(url, replace && migrations.length === 1 ? '' : (before?.datamodel ?? ''), after)
  if (sql === '') return null
  const number = String(migrations.length + 1).padStart(4, '0')
  const name = replace && newest ? newest.name : `${number}_${title}`
  await mkdir(new URL(name, migrationsFolder), { recursive: true })
  await writeFile(new URL(`${name}/migration.sql`, migrationsFolder), `${sql}\n`)
  await writeFile(new URL(`${name}/schema.prisma`, migrationsFolder), after)
  return name
}
