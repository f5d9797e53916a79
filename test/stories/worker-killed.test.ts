import type { ChildProcess } from 'node:child_process'
import { simpleParser } from 'mailparser'
import { expect, test } from 'vitest'
import { killableWorkers } from '../help/killable.ts'
import { accept } from '../help/mails.ts'
import { mailServer, scriptedServer } from '../help/smtp.ts'
import { until } from '../help/until.ts'
import { testWorld } from '../help/world.ts'

const world = await testWorld({ running: true })
const { start: startWorkerProcess, kill, sender } = killableWorkers(world)

async function outcomes(projectId: string): Promise<{ mails: { status: string; attempts: number }[]; logged: number }> {
  const mails = await world.db.prisma.email.findMany({
    where: { projectId },
    select: { status: true, attempts: true, delivery: { select: { attempts: true } } },
  })
  return {
    mails: mails.map(({ status, attempts, delivery }) =>
      delivery ? { status: 'open', attempts: delivery.attempts } : { status, attempts },
    ),
    logged: await world.db.prisma.event.count({ where: { projectId, name: 'email.sent' } }),
  }
}

test.each([
  ['after the claim, before the message was handed over', 'MAIL', 1],
  ['after the mail server accepted the message, before it was recorded', '<CONTENT>', 2],
])(
  'kill -9 %s: another worker takes the email over, and it is recorded once',
  async (_where, at, arrivals) => {
    let worker: ChildProcess | undefined
    const taken: string[] = []
    const polite: Record<string, string> = { '<CONNECT>': '220 hi', EHLO: '250 hi', DATA: '354 go' }
    const { url } = await scriptedServer((command) => {
      if (command === '<CONTENT>') taken.push(command)
      if (command === at && worker) {
        worker.kill('SIGKILL')
        worker = undefined
      }
      return polite[command] ?? '250 ok'
    })
    const { ctx, projectId } = await sender()
    worker = await startWorkerProcess(url)
    const first = worker
    await accept(ctx)
    await until(async () => first.signalCode === 'SIGKILL')
    expect((await outcomes(projectId)).mails).toEqual([{ status: 'open', attempts: 1 }])
    const second = await startWorkerProcess(url)
    await until(async () => (await outcomes(projectId)).mails[0]?.status === 'SENT')
    await kill(second)
    expect(await outcomes(projectId)).toEqual({ mails: [{ status: 'SENT', attempts: 2 }], logged: 1 })
    expect(taken).toHaveLength(arrivals)
  },
  60_000,
)

test('ten kills during 300 emails: none is lost, each is recorded once, a duplicate has the same Message-ID', async () => {
  const server = await mailServer()
  const { ctx, projectId } = await sender()
  const ids: string[] = []
  for (let n = 0; n < 300; n++) ids.push((await accept(ctx, { to: `to${n}@example.com` })).id)
  for (let round = 0; round < 10; round++) {
    const before = server.mails.length
    const worker = await startWorkerProcess(server.url)
    // At some point during this round, or when all are sent.
    await until(
      async () => server.mails.length > before + round || (await outcomes(projectId)).mails.every(({ status }) => status === 'SENT'),
      20_000,
    )
    await kill(worker)
  }
  const last = await startWorkerProcess(server.url)
  await until(async () => (await outcomes(projectId)).mails.every(({ status }) => status === 'SENT'))
  await kill(last)

  const arrived = await Promise.all(server.mails.map(async ({ raw, to: [to] }) => `${to} ${(await simpleParser(raw)).messageId}`))
  expect(new Set(arrived)).toEqual(new Set(ids.map((id, n) => `to${n}@example.com <${id}@demo.test>`)))
  const { mails, logged } = await outcomes(projectId)
  expect([mails.length, logged]).toEqual([300, 300])
  // Only messages that were being sent when a worker died may arrive twice.
  const doubled = arrived.length - 300
  const repeated = mails.reduce((sum, { attempts }) => sum + attempts - 1, 0)
  expect(doubled).toBeLessThanOrEqual(repeated)
}, 240_000)
