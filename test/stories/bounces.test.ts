import { connect } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { createSmtpTransport } from '../../src/kit/mailer.ts'
import { createVault } from '../../src/kit/vault.ts'
import { createDomain } from '../../src/modules/domains/domains.ts'
import { getEmail } from '../../src/modules/emails/emails.ts'
import { accept } from '../help/mails.ts'
import { freePort } from '../help/ports.ts'
import { type Program, startProgram } from '../help/program.ts'
import { dsn } from '../help/reports.ts'
import { mailServer } from '../help/smtp.ts'
import { root } from '../help/sources.ts'
import { until } from '../help/until.ts'
import { freshProject, testWorld } from '../help/world.ts'

const appSecret = 'a secret that the workers of this story share'
const server = await mailServer()
const world = await testWorld({ running: true })
const bouncePort = await freePort()
const workers: Program[] = []
afterAll(() => {
  for (const worker of workers) worker.kill('SIGKILL')
})

function startWorker(): Program {
  const env = {
    NODE_ENV: 'production',
    ROLE: 'worker',
    HOST: '127.0.0.1',
    APP_SECRET: appSecret,
    DATABASE_URL: world.databaseUrl,
    EMAIL_TRANSPORT: server.url,
    BOUNCE_PORT: String(bouncePort),
    RETURN_PATH_HOST: 'bounces.example.com',
  }
  const worker = startProgram(process.execPath, ['src/start/launch.js'], { cwd: root, env })
  workers.push(worker)
  return worker
}

test('a worker sends with a return path, receives the bounce there, and ends in time with a connection open', async () => {
  const { ctx } = await freshProject(world)
  await createDomain({ ...ctx, vault: createVault(appSecret) }, { domain: 'demo.test' })
  const worker = startWorker()
  await worker.logs(/"msg":"started"/)
  const { id } = await accept(ctx, { subscribed: true })
  await until(async () => (await getEmail(ctx, { id })).status === 'SENT', 30_000)
  const path = server.mails.find(({ raw }) => raw.includes(id))?.from ?? ''
  expect(path).toMatch(/^b\+[0-9a-z]{62}@bounce\.demo\.test$/)

  const incoming = createSmtpTransport(`smtp://127.0.0.1:${bouncePort}`, 1)
  const bounce = (to: string) => incoming.send({ from: 'mailer-daemon@example.com', to: [to], pieces: [dsn()] })
  expect(await bounce('ada@bounce.demo.test')).toMatchObject({ kind: 'refused', answer: { code: 550 } })
  expect(await bounce(path)).toMatchObject({ kind: 'accepted' })
  expect(await getEmail(ctx, { id })).toMatchObject({ status: 'BOUNCED', reason: '550 5.1.1 User unknown' })
  await incoming.close()

  const second = startWorker()
  expect(await second.ended).toBe(1)
  expect(second.stderr()).toMatch(new RegExp(`BOUNCE_PORT: ${bouncePort} of 127\\.0\\.0\\.1 cannot be used: .*EADDRINUSE`))

  const idle = connect(bouncePort, '127.0.0.1')
  await new Promise((resolve) => idle.once('data', resolve))
  idle.on('error', () => undefined)
  worker.kill('SIGTERM')
  // One that needs more than 10 s is killed.
  expect(await worker.ended).toBe(0)
  idle.destroy()
})
