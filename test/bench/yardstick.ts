// The yardstick of the track and send benchmarks: bare node:http and pg, one prepared statement per request that writes the
// same rows. It has no keys, checks or merge rules: the least code that does the same durable work.
import { createServer } from 'node:http'
import pg from 'pg'
import { newId } from '../../src/kit/ids.ts'
import { jobInsert } from '../../src/kit/jobs.ts'
import { deliverQueue } from '../../src/modules/emails/shapes.ts'

const [, , url = '', port = '0', projectId = ''] = process.argv
const pool = new pg.Pool({ connectionString: url, max: 20 })

const upsert = `insert into contacts as c (project_id, id, email, subscribed, data, created_at, updated_at)
  values ($1, $2, $3, true, $4::jsonb, $5, $5)
  on conflict (project_id, email) do update set data = c.data || excluded.data, updated_at = excluded.updated_at returning c.id`

const track = {
  name: 'track',
  text: `with contact as (${upsert}), event as (
    insert into events (project_id, id, name, contact_id, data, created_at) select $1, $6, $7, id, $4::jsonb, $5 from contact)
    select id from contact`,
}

const send = {
  name: 'send',
  text: `with contact as (${upsert}), content as (
      insert into email_contents (project_id, id, type, subject, html, from_address, data, created_at)
      values ($1, $6, 'TRANSACTIONAL', $7, $8, $9, $4::jsonb, $5)),
    mail as (
      insert into emails (project_id, id, contact_id, content_id, to_address, subject, created_at, updated_at)
      select $1, $10, id, $6, $3, $7, $5, $5 from contact returning project_id, id),
    queued as (insert into deliveries (project_id, email_id, lane) select project_id, id, 0 from mail),
    job as (${jobInsert(deliverQueue, '(select $11::jsonb as payload)')})
    select id from contact`,
}

async function answer(path: string, body: Record<string, string>): Promise<object> {
  const now = new Date()
  const shared = [projectId, newId('contact', now), body.email ?? body.to, JSON.stringify(body.data), now]
  if (path === '/v1/track') {
    const event = newId('event', now)
    const { rows } = await pool.query({ ...track, values: [...shared, event, body.event] })
    return { success: true, data: { contact: rows[0].id, event, timestamp: now } }
  }
  const email = newId('email', now)
  const values = [
    ...shared,
    newId('content', now),
    body.subject,
    body.body,
    body.from,
    email,
    JSON.stringify({ turns: [[projectId, 'transactional']] }),
  ]
  const { rows } = await pool.query({ ...send, values })
  return { success: true, data: { emails: [{ contact: { id: rows[0].id, email: body.to }, email }], timestamp: now } }
}

const server = createServer((req, res) => {
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.on('end', () => {
    answer(req.url ?? '', JSON.parse(Buffer.concat(chunks).toString('utf8'))).then(
      (result) => res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result)),
      (error: Error) => res.writeHead(500).end(error.message),
    )
  })
})
server.listen(Number(port), '127.0.0.1', () => process.send?.('ready'))
