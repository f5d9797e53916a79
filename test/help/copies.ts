import pg from 'pg'
import type { TestWorld } from './world.ts'

interface Column {
  table: string
  name: string
  /** Whether no two rows of a project may have the same. */
  distinct: boolean
}

const columns = `select c.relname as table, a.attname as name,
    exists (select from pg_index i where i.indrelid = c.oid and i.indisunique and a.attnum = any(i.indkey)) as distinct
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.atttypid = 'text'::regtype
    and exists (select from pg_attribute p where p.attrelid = c.oid and p.attname = 'project_id')`

/**
 * Adds copies, at most nine, of every row of a project: the first copy of an email belongs to the first copy of its contact, and so on,
 * so that each refers to objects of its own. Where a table may not have another row, there is none.
 */
export async function copyRows({ databaseUrl }: Pick<TestWorld, 'databaseUrl'>, projectId: string, copies: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const found = await client.query<Column>(columns)
    // What the rows refer to is copied before or after them.
    await client.query('set session_replication_role = replica')
    for (const [table, its] of Map.groupBy(found.rows, (column) => column.table)) {
      const changed = its.flatMap(changeOf)
      await client.query(
        `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(t) || jsonb_build_object(${changed.join(', ')}))).*
         from ${table} t, generate_series(1, $2) n where t.project_id = $1 on conflict do nothing`,
        [projectId, copies],
      )
    }
  } finally {
    await client.end()
  }
}

function changeOf({ name, distinct }: Column): string[] {
  if (name === 'project_id' || name === 'user_id') return []
  // No id has a u: one that ended as a copy would, such as that of a step, would be taken for the copy of itself.
  if (/(^|_)id$/.test(name)) return [`'${name}', left(t.${name}, -2) || 'u' || n`]
  return distinct ? [`'${name}', n || '-' || t.${name}`] : []
}
