import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { createVault } from '../../src/kit/vault.ts'
import { createDomain } from '../../src/modules/domains/domains.ts'
import { freePort } from '../help/ports.ts'
import { startProgram } from '../help/program.ts'
import { callAt } from '../help/server.ts'
import { peakMemoryMb, slowServer } from '../help/slow-server.ts'
import { root } from '../help/sources.ts'
import { until } from '../help/until.ts'
import { freshProject, testWorld } from '../help/world.ts'

const appSecret = 'a secret of this story that is long enough'
const file = randomBytes(5_000_000).toString('base64')
const lines = Buffer.from(file.replace(/.{76}/g, '$&\r\n'))
// As octets of their own they would be more than the process may use.
const recipients = 100
const server = await slowServer(200_000, lines)
const world = await testWorld({ running: true })
const port = await freePort()
const program = startProgram(process.execPath, ['src/start/launch.js'], {
  cwd: root,
  env: {
    NODE_ENV: 'production',
    APP_SECRET: appSecret,
    DATABASE_URL: world.databaseUrl,
    EMAIL_TRANSPORT: server.url,
    SEND_RATE_PER_PROJECT: '0',
    PORT: String(port),
    LOG_LEVEL: 'info',
  },
})
afterAll(() => {
  program.kill('SIGKILL')
  server.close()
})

test.runIf(process.platform === 'linux')(
  'one call with a file of 5 MB to 100 recipients over a slow mail server: the process stays below 600 MB, and all arrive whole',
  async () => {
    const { ctx, secret: key } = await freshProject(world)
    await createDomain({ ...ctx, vault: createVault(appSecret) }, { domain: 'demo.test' })
    await program.logs(/"msg":"started"/)
    const answer = await callAt(
      `http://127.0.0.1:${port}`,
      'POST /v1/send',
      {
        to: Array.from({ length: recipients }, (_, n) => `to${n}@example.com`),
        from: 'hello@demo.test',
        subject: 'The file',
        body: '<p>Hi {{ email }}</p>',
        attachments: [{ filename: 'file.bin', content: file, contentType: 'application/octet-stream' }],
      },
      { key },
    )
    expect(answer.status).toBe(200)
    // Several seconds at this rate, over all connections: by then everything that could be prepared is in memory.
    await until(async () => server.received() > 8_000_000, 30_000)
    expect(peakMemoryMb(program.pid)).toBeLessThan(600)
    server.hurry()
    await until(async () => server.whole() + server.broken() >= recipients, 90_000)
    expect([server.whole(), server.broken()]).toEqual([recipients, 0])
    expect(peakMemoryMb(program.pid)).toBeLessThan(600)
  },
  150_000,
)
