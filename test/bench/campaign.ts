// Measures a campaign: its recipients are written down, queued, claimed, rendered, sent and settled by one worker.
import type { ChildProcess } from 'node:child_process'
import { execFileSync } from 'node:child_process'
import pg from 'pg'
import { callIn } from '../../src/kit/context.ts'
import type { World } from '../../src/kit/world.ts'
import { createCampaign } from '../../src/modules/campaigns/changes.ts'
import { sendCampaign } from '../../src/modules/campaigns/sending/send.ts'
import { freePort } from '../help/ports.ts'
import { size } from './flags.ts'
import { contacts, htmlOf, senderDomain } from './payloads.ts'
import { benchWorld, startBenchPostgres } from './postgres.ts'
import { end, helper } from './processes.ts'
import { type Figure, record } from './results.ts'

const recipients = size('recipients', 100_000)
const overSmtp = size('smtp', 50_000)
const connections = 8
const kilobytes = 2
const pollMs = 100

await using open = new AsyncDisposableStack()
const postgres = open.adopt(await startBenchPostgres(), (it) => it.end())
const sinkPort = await freePort()
open.adopt(await helper('sink.ts', [String(sinkPort)]), end)

interface Measured {
  writtenPerSecond: number
  perSecond: number
  megabytes: number
}

const none = await campaignOf('null', recipients)
const pool = await poolRate()
const smtp = await campaignOf('smtp', overSmtp)
const figures: Figure[] = [
  { what: 'contacts/s written down', ours: none.writtenPerSecond.toFixed(0), yardstick: '', ratio: '', bar: '' },
  {
    what: 'emails/s, null transport, from the first to the last',
    ours: none.perSecond.toFixed(0),
    yardstick: '',
    ratio: '',
    bar: '≥ 1,500',
  },
  { what: 'memory of the worker, at most', ours: `${none.megabytes} MB`, yardstick: '', ratio: '', bar: '' },
  {
    what: 'emails/s over SMTP, unsigned, against a pool that only sends',
    ours: smtp.perSecond.toFixed(0),
    yardstick: pool.toFixed(0),
    ratio: (smtp.perSecond / pool).toFixed(2),
    bar: '≥ 1.5',
  },
]
await record(
  'campaign',
  'Campaigns',
  `A campaign with a body of ${kilobytes} KB to ${recipients} contacts with one worker and the null transport, which composes and drops; and one to ${overSmtp} over ${connections} connections to a server in another process that only reads and answers. The yardstick is nodemailer’s own pool with messages composed before.`,
  figures,
  postgres.version,
)

async function campaignOf(transport: 'null' | 'smtp', count: number): Promise<Measured> {
  const seeded = await postgres.seed(`campaign_${transport}`)
  await addContacts(seeded.url, seeded.projectId, count)
  const world = await benchWorld(seeded.url, seeded.appSecret)
  const ctx = callIn(world, { projectId: seeded.projectId, actor: { kind: 'system' } })
  const { id } = await createCampaign(ctx, {
    name: 'Bench',
    subject: 'News for {{ email }}',
    body: htmlOf(kilobytes),
    from: `news@${senderDomain}`,
    audienceType: 'ALL',
    type: 'HEADLESS',
  })
  const target = transport === 'null' ? 'null' : `smtp://127.0.0.1:${sinkPort}`
  const worker = await helper('worker.ts', [], {
    DATABASE_URL: seeded.url,
    APP_SECRET: seeded.appSecret,
    ROLE: 'worker',
    PORT: String(await freePort()),
    SMTP_CONNECTIONS: String(connections),
    EMAIL_TRANSPORT: target,
  })
  try {
    return await measure(world, worker, { ctx, id, count })
  } finally {
    await end(worker)
    await world.close()
  }
}

async function measure(
  world: World,
  worker: ChildProcess,
  { ctx, id, count }: { ctx: ReturnType<typeof callIn>; id: string; count: number },
): Promise<Measured> {
  const began = performance.now()
  await sendCampaign(ctx, { id })
  let written = 0
  let megabytes = 0
  for (;;) {
    const row = await world.db.prisma.campaign.findUniqueOrThrow({
      where: { projectId_id: { projectId: ctx.projectId, id } },
      select: { status: true, stage: true, totalRecipients: true },
    })
    if (written === 0 && row.stage !== 'CLEAR' && row.stage !== 'SNAPSHOT') written = performance.now()
    megabytes = Math.max(
      megabytes,
      Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(worker.pid)], { encoding: 'utf8' })) / 1024),
    )
    if (row.status === 'SENT') {
      if (row.totalRecipients !== count) throw new Error(`${row.totalRecipients} recipients instead of ${count}`)
      const seconds = (performance.now() - written) / 1_000
      return { writtenPerSecond: count / ((written - began) / 1_000), perSecond: count / seconds, megabytes }
    }
    if (worker.exitCode !== null) throw new Error('The worker ended')
    await new Promise((next) => setTimeout(next, pollMs))
  }
}

async function poolRate(): Promise<number> {
  const child = await helper('pool.ts', [
    String(sinkPort),
    String(Math.min(overSmtp, 20_000)),
    String(connections),
    'unsigned',
    String(kilobytes),
  ])
  const answer = new Promise<{ perSecond: number }>((done) => child.once('message', (message) => done(message as { perSecond: number })))
  child.send('go')
  const { perSecond } = await answer
  await end(child)
  return perSecond
}

async function addContacts(url: string, projectId: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `insert into contacts (project_id, id, email, subscribed, data, created_at, updated_at)
     select $1, 'cnt_' || lpad(n::text, 26, '0'), 'user' || n || '@example.test', true, '{"plan":"pro"}', $2, $2
     from generate_series(${contacts}::int, $3::int - 1) n`,
    [projectId, new Date(), count],
  )
  await client.query('update contact_counts set count = $2 where project_id = $1', [projectId, count])
  await client.query('vacuum analyze contacts')
  await client.end()
}
