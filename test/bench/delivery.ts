// Measures delivery: emails accepted before are sent over real SMTP to a server in another process, and settled.
import type { ChildProcess } from 'node:child_process'
import { callIn } from '../../src/kit/context.ts'
import type { World } from '../../src/kit/world.ts'
import { newDkimKey } from '../../src/modules/domains/domains.ts'
import { sendEmail } from '../../src/modules/emails/accept/send.ts'
import { SendDraft } from '../../src/modules/emails/accept/shapes.ts'
import { size } from './flags.ts'
import { payload } from './payloads.ts'
import { benchWorld, type Seeded, startBenchPostgres } from './postgres.ts'
import { end, freePort, helper, postwire } from './processes.ts'
import { median, record } from './results.ts'

const mails = size('mails', 4_000)
const rounds = size('rounds', 3)
const connections = 8
const acceptAtOnce = 100

await using open = new AsyncDisposableStack()
const postgres = open.adopt(await startBenchPostgres(), (it) => it.end())
const seeded = await postgres.seed('ours')
const sinkPort = await freePort()
const sink = open.adopt(await helper('sink.ts', [String(sinkPort)]), end)
const { privatePem } = await newDkimKey()
process.env.DKIM_KEY = privatePem

const seen = { ours: [] as number[], raw: [] as number[], compose: [] as number[] }
for (let round = 0; round < rounds; round++) {
  seen.raw.push(await poolRate('raw'))
  seen.compose.push(await poolRate('compose'))
  await postgres.checkpoint()
  seen.ours.push(await ourRate(round))
}

const [ours, raw, compose] = [median(seen.ours), median(seen.raw), median(seen.compose)]
await record(
  'delivery',
  'Delivery over SMTP',
  `${mails} accepted emails with a body of 6 KB, DKIM with RSA-2048, ${connections} connections to a server in another process; Postwire claims, renders, tracks, composes, signs, sends and settles each, measured until the last one is settled. The yardstick is nodemailer’s own pool with DKIM.`,
  [
    { what: 'mails/s, against ready MIME', ours: ours.toFixed(0), yardstick: raw.toFixed(0), ratio: (ours / raw).toFixed(2), bar: '≥ 1.2' },
    {
      what: 'mails/s, against composing',
      ours: ours.toFixed(0),
      yardstick: compose.toFixed(0),
      ratio: (ours / compose).toFixed(2),
      bar: '',
    },
  ],
  postgres.version,
)

async function poolRate(mode: string): Promise<number> {
  const pool = await helper('pool.ts', [String(sinkPort), String(mails), String(connections), mode])
  const answer = new Promise<{ perSecond: number }>((done) => pool.once('message', (message) => done(message as { perSecond: number })))
  pool.send('go')
  const { perSecond } = await answer
  await end(pool)
  return perSecond
}

async function ourRate(round: number): Promise<number> {
  const world = await benchWorld(seeded.url, seeded.appSecret)
  await fill(world, round)
  await askSink('reset')
  const env = {
    DATABASE_URL: seeded.url,
    APP_SECRET: seeded.appSecret,
    ROLE: 'worker',
    PORT: String(await freePort()),
    SMTP_CONNECTIONS: String(connections),
  }
  const worker = await postwire({ ...env, EMAIL_TRANSPORT: `smtp://127.0.0.1:${sinkPort}` })
  const last = await untilSettled(world, worker, seeded)
  const { received, first } = await askSink('count')
  if (received !== mails) throw new Error(`${received} of ${mails} emails arrived`)
  await end(worker)
  await world.close()
  return mails / ((last - first) / 1000)
}

async function fill(world: World, round: number): Promise<void> {
  const ctx = callIn(world, { projectId: seeded.projectId, actor: { kind: 'system' } })
  for (let from = 0; from < mails; from += acceptAtOnce) {
    const numbers = Array.from({ length: Math.min(acceptAtOnce, mails - from) }, (_, at) => round * mails + from + at)
    await Promise.all(numbers.map((n) => sendEmail(ctx, SendDraft.parse(JSON.parse(payload('send', n))))))
  }
}

async function untilSettled(world: World, worker: ChildProcess, { projectId }: Seeded): Promise<number> {
  for (;;) {
    if (worker.exitCode !== null) throw new Error('The worker ended')
    const left = await world.db.prisma.delivery.count({ where: { projectId } })
    if (left === 0) return Date.now()
    await new Promise((next) => setTimeout(next, 100))
  }
}

async function askSink(command: string): Promise<{ received: number; first: number }> {
  const answer = new Promise<{ received: number; first: number }>((done) =>
    sink.once('message', (message) => done(message as { received: number; first: number })),
  )
  sink.send(command)
  return answer
}
