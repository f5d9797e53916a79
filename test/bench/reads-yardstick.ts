// The yardstick of the reads benchmark: bare node:http and pg, one prepared statement per request that reads the same rows.
import { createServer } from 'node:http'
import pg from 'pg'

const [, , url = '', port = '0', projectId = ''] = process.argv
const pool = new pg.Pool({ connectionString: url, max: 20 })

const columns = 'c.id, c.email, c.subscribed, c.data, c.created_at as "createdAt", c.updated_at as "updatedAt"'
const newest = `select ${columns} from contacts c where c.project_id = $1 and c.deleted_at is null order by c.id desc limit`

const one = { name: 'one', text: `select ${columns} from contacts c where c.project_id = $1 and c.id = $2 and c.deleted_at is null` }
const page = {
  name: 'page',
  text: `select c.*, (select sum(count)::int from contact_counts where project_id = $1) as total from (${newest} 21) c`,
}
const nested = {
  name: 'nested',
  text: `select c.*, e.events from (${newest} 20) c cross join lateral (
    select coalesce(json_agg(json_build_object('id', e.id, 'name', e.name, 'data', e.data, 'createdAt', e.created_at)), '[]') as events
    from (select * from events e where e.project_id = $1 and e.contact_id = c.id order by e.id desc limit 5) e) e`,
}

async function answer(path: string): Promise<object | undefined> {
  if (path === '/graphql') return { data: { contacts: { nodes: (await pool.query({ ...nested, values: [projectId] })).rows } } }
  if (path.startsWith('/contacts/')) return (await pool.query({ ...one, values: [projectId, path.slice('/contacts/'.length)] })).rows[0]
  const { rows } = await pool.query({ ...page, values: [projectId] })
  const data = rows.slice(0, 20).map(({ total, ...contact }) => contact)
  return { data, cursor: data.at(-1)?.id, hasMore: rows.length > 20, total: rows[0]?.total }
}

const server = createServer((req, res) => {
  req.resume().on('end', () => {
    answer(req.url ?? '').then(
      (found) => res.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(found)),
      (error: Error) => res.writeHead(500).end(error.message),
    )
  })
})
server.listen(Number(port), '127.0.0.1', () => process.send?.('ready'))
