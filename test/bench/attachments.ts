// Measures the memory of the program while one large file goes to many recipients over a slow mail server; Linux only.
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../help/ports.ts'
import { peakMemoryMb, slowServer } from '../help/slow-server.ts'
import { size } from './flags.ts'
import { senderDomain } from './payloads.ts'
import { startBenchPostgres } from './postgres.ts'
import { end, postwire } from './processes.ts'
import { record } from './results.ts'

const recipients = size('recipients', 300)
const megabytes = size('megabytes', 5)
const kilobytesPerSecond = size('rate', 200)
const slowSeconds = size('seconds', 60)

await using open = new AsyncDisposableStack()
const postgres = open.adopt(await startBenchPostgres(), (it) => it.end())
const seeded = await postgres.seed('attachments')
const content = randomBytes(megabytes * 1_000_000).toString('base64')
const server = open.adopt(await slowServer(kilobytesPerSecond * 1_000, Buffer.from(content.replace(/.{76}/g, '$&\r\n'))), (it) =>
  it.close(),
)
const port = await freePort()
const program = open.adopt(
  await postwire({ DATABASE_URL: seeded.url, APP_SECRET: seeded.appSecret, PORT: String(port), EMAIL_TRANSPORT: server.url }),
  end,
)
const memory = (): number => peakMemoryMb(program.pid ?? 0)
const idle = memory()
await send()
await pause(slowSeconds * 1_000)
const slow = memory()
server.hurry()
while (server.whole() + server.broken() < recipients) await pause(50)
if (server.broken() > 0) throw new Error(`${server.broken()} emails arrived damaged`)

const row = (what: string, peak: number, bar: string) => ({
  what,
  ours: `${peak.toFixed(0)} MB`,
  yardstick: `${idle.toFixed(0)} MB`,
  ratio: '',
  bar,
})
await record(
  'attachments',
  'One large file for many recipients',
  `One call with a file of ${megabytes} MB to ${recipients} recipients over a mail server that reads ${kilobytesPerSecond} KB per second and connection for ${slowSeconds} s, and then as fast as it can: the largest resident memory of the program, without PostgreSQL. All emails arrived whole. The yardstick is the program before the call.`,
  [row('while the server is slow', slow, '< 600 MB'), row('until all have arrived', memory(), '< 600 MB')],
  postgres.version,
)

async function send(): Promise<void> {
  const to = Array.from({ length: recipients }, (_, n) => `user${n}@example.test`)
  const attachments = [{ filename: 'file.bin', content, contentType: 'application/octet-stream' }]
  const draft = { to, from: `shop@${senderDomain}`, subject: 'The file', body: '<p>Hi {{ email }}</p>', attachments }
  const headers = { authorization: `Bearer ${seeded.secretKey}`, 'content-type': 'application/json' }
  const response = await fetch(`http://127.0.0.1:${port}/v1/send`, { method: 'POST', headers, body: JSON.stringify(draft) })
  if (response.status !== 200) throw new Error(`The server answered ${response.status}: ${await response.text()}`)
}
