import type pg from 'pg'

/** An index to be built while the program runs: what `create index concurrently` says. */
export interface ConcurrentIndex {
  name: string
  sql: string
}

const create = /^create\s+(?:unique\s+)?index\s+concurrently\s+"?(\w+)"?\s+on\s/i

/**
 * The indexes of a migration that builds them concurrently, or null for an ordinary migration. Throws when it holds anything
 * else as well: it does not run in a transaction, so nothing else could be rolled back with it.
 */
export function concurrentIndexes(sql: string): ConcurrentIndex[] | null {
  const statements = sql
    .replace(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter(Boolean)
  if (!statements.some((statement) => /\bconcurrently\b/i.test(statement))) return null
  return statements.map((statement) => {
    const [, name] = create.exec(statement) ?? []
    if (name === undefined)
      throw new Error(`a migration with "concurrently" may hold nothing but "create index concurrently": ${statement}`)
    return { name, sql: statement }
  })
}

/**
 * Builds an index without blocking writers, unless it exists. What a build that failed half way has left, an invalid index,
 * is removed before, and after a failure here.
 */
export async function buildIndex(client: pg.Client, { name, sql }: ConcurrentIndex): Promise<void> {
  if ((await stateOf(client, name)) === 'valid') return
  await removeInvalid(client, name)
  try {
    await client.query(sql)
  } catch (error) {
    // If this fails, too, such as on a lost connection, the next start removes it.
    await removeInvalid(client, name).catch(() => undefined)
    throw error
  }
}

async function stateOf(client: pg.Client, name: string): Promise<'valid' | 'invalid' | 'missing'> {
  const { rows } = await client.query<{ valid: boolean }>('select indisvalid as valid from pg_index where indexrelid = to_regclass($1)', [
    `"${name}"`,
  ])
  const [index] = rows
  if (!index) return 'missing'
  return index.valid ? 'valid' : 'invalid'
}

async function removeInvalid(client: pg.Client, name: string): Promise<void> {
  if ((await stateOf(client, name)) === 'invalid') await client.query(`drop index concurrently "${name}"`)
}
