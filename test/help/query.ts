import pg from 'pg'

/** The rows that a statement returns, as lists of values, over a connection of its own. */
export async function query(url: string, text: string): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<unknown[]>({ text, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}
