import type pg from 'pg'

interface Column {
  table: string
  name: string
  type: string
  /** Whether it may be left out. */
  optional: boolean
  /** The first value of its enum. */
  label: string | null
}

const columns = `select c.table_name as table, c.column_name as name, c.udt_name as type,
    c.is_nullable = 'YES' or c.column_default is not null as optional,
    (select e.enumlabel from pg_enum e join pg_type t on t.oid = e.enumtypid where t.typname = c.udt_name order by e.enumsortorder limit 1) as label
  from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
  where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name not like '\\_%'`

const prefixes: Record<string, string> = { contacts: 'contact_id', emails: 'email_id', email_contents: 'content_id', events: 'event_id' }

/** Gives every table rows of a project, also where they refer to nothing, and lets Postgres collect no statistics of them. */
export async function fillTables(client: pg.Client, { project, rows }: { project: string; rows: number }): Promise<void> {
  const found = await client.query<Column>(columns)
  await client.query('set session_replication_role = replica')
  for (const [table, its] of Map.groupBy(found.rows, (column) => column.table)) {
    await client.query(`alter table ${table} set (autovacuum_enabled = off)`)
    const set = its.map((column) => [`"${column.name}"`, sqlOf(column, project)] as const).filter(([, value]) => value !== null)
    const [names, values] = [set.map(([name]) => name), set.map(([, value]) => value)]
    if (table !== 'contact_field_counts')
      await client.query(
        `insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from generate_series(1, ${rows}) n on conflict do nothing`,
      )
  }
  await client.query('reset session_replication_role')
}

// SQL of the value of the row n; null where the column is left out.
function sqlOf({ table, name, type, optional, label }: Column, project: string): string | null {
  if (name === 'project_id' || (table === 'projects' && name === 'id')) return `'${project}'`
  if (/^(campaign|segment|workflow)_id$/.test(name)) return `'${name}'`
  if (/^(contact|email|content)_id$/.test(name)) return `'${name}_' || n`
  if (name === 'id' && type === 'text') return `'${prefixes[table] ?? table}_' || n`
  if (optional) return null
  if (label !== null) return `'${label}'`
  if (type === 'text') return `'${name}_' || n`
  if (type === 'int2') return '1'
  if (/^int|^float/.test(type)) return 'n'
  if (/^timestamp|^date/.test(type)) return `timestamptz '2026-01-01' + n * interval '1 minute'`
  return { jsonb: `'{}'`, json: `'{}'`, bool: 'false', bytea: `''` }[type] ?? (type.startsWith('_') ? `'{}'` : `'1'`)
}
