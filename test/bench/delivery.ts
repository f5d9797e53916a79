// Measures delivery: emails accepted before are sent over real SMTP to a server in another process, and settled.
import type { ChildProcess } from 'node:child_process'
import { callIn } from '../../src/kit/context.ts'
import type { World } from '../../src/kit/world.ts'
import { newDkimKey } from '../../src/modules/domains/domains.ts'
import { sendEmail } from '../../src/modules/emails/accept/send.ts'
import { SendDraft } from '../../src/modules/emails/accept/shapes.ts'
import { freePort } from '../help/ports.ts'
import { size } from './flags.ts'
import { payload } from './payloads.ts'
import { benchWorld, type Seeded, startBenchPostgres } from './postgres.ts'
import { end, helper, postwire } from './processes.ts'
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

type Mode = 'signed' | 'unsigned'
const modes: Mode[] = ['signed', 'unsigned']
const seen = { signed: { ours: [] as number[], pool: [] as number[] }, unsigned: { ours: [] as number[], pool: [] as number[] } }
let filled = 0
for (let round = 0; round < rounds; round++) {
  for (const mode of modes) {
    seen[mode].pool.push(await poolRate(mode))
    await postgres.checkpoint()
    seen[mode].ours.push(await ourRate(mode))
  }
}

const what = { signed: 'emails/s, signed, against a pool that signs', unsigned: 'emails/s, unsigned, against a pool that only sends' }
const bar = { signed: '≥ 2.5', unsigned: '' }
await record(
  'delivery',
  'Delivery over SMTP',
  `${mails} accepted emails with a body of 6 KB, ${connections} connections to a server in another process that only reads and answers; Postwire claims, renders, tracks, composes, signs with RSA-2048, sends and settles each, measured until the last one is settled. The yardstick is nodemailer’s own pool with messages composed before.`,
  modes.map((mode) => {
    const [ours, pool] = [median(seen[mode].ours), median(seen[mode].pool)]
    return { what: what[mode], ours: ours.toFixed(0), yardstick: pool.toFixed(0), ratio: (ours / pool).toFixed(2), bar: bar[mode] }
  }),
  postgres.version,
)

async function poolRate(mode: Mode): Promise<number> {
  const pool = await helper('pool.ts', [String(sinkPort), String(mails), String(connections), mode])
  const answer = new Promise<{ perSecond: number }>((done) => pool.once('message', (message) => done(message as { perSecond: number })))
  pool.send('go')
  const { perSecond } = await answer
  await end(pool)
  return perSecond
}

async function ourRate(mode: Mode): Promise<number> {
  const world = await benchWorld(seeded.url, seeded.appSecret)
  await fill(world)
  await askSink('reset')
  const worker = await startWorker(mode)
  const last = await untilSettled(world, worker, seeded)
  const { received, first } = await askSink('count')
  if (received !== mails) throw new Error(`${received} of ${mails} emails arrived`)
  await end(worker)
  await world.close()
  return mails / ((last - first) / 1000)
}

async function startWorker(mode: Mode): Promise<ChildProcess> {
  const env = {
    DATABASE_URL: seeded.url,
    APP_SECRET: seeded.appSecret,
    ROLE: 'worker',
    PORT: String(await freePort()),
    SMTP_CONNECTIONS: String(connections),
    EMAIL_TRANSPORT: `smtp://127.0.0.1:${sinkPort}`,
  }
  return mode === 'signed' ? postwire(env) : helper('worker.ts', [], env)
}

async function fill(world: World): Promise<void> {
  const ctx = callIn(world, { projectId: seeded.projectId, actor: { kind: 'system' } })
  for (let from = 0; from < mails; from += acceptAtOnce) {
    const numbers = Array.from({ length: Math.min(acceptAtOnce, mails - from) }, () => filled++)
    await Promise.all(numbers.map((n) => sendEmail(ctx, SendDraft.parse(JSON.parse(payload('send', n))))))
  }
}

async function untilSettled(world: World, worker: ChildProcess, { projectId }: Seeded): Promise<number> {
  for (;;) {
    if (worker.exitCode !== null) throw new Error('The worker ended')
    const [pending] = await world.db.prisma.email.findMany({
      where: { projectId, status: { in: ['PENDING', 'SENDING'] } },
      select: { id: true },
      take: 1,
    })
    if (!pending) return Date.now()
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
