import { expect, test } from 'vitest'
import { createVault } from '../../src/kit/vault.ts'
import { getSigningSecrets } from '../../src/modules/projects/webhook-secrets.ts'
import { killableWorkers } from '../help/killable.ts'
import { isSignedWith, type Received, receiver } from '../help/receiver.ts'
import { mailServer } from '../help/smtp.ts'
import { until } from '../help/until.ts'
import { hooked, seen, start } from '../help/webhooks.ts'
import { testWorld } from '../help/world.ts'

const world = await testWorld({ running: true })
const workers = killableWorkers(world)

test('a kill while webhooks are being called: each is repeated with its id and its signature, and none that was recorded', async () => {
  const hook = await receiver()
  const server = await mailServer()
  const { ctx, projectId } = await workers.sender()
  // The workers have another APP_SECRET than this process: one of them makes the secret.
  await world.db.prisma.projectWebhookSecret.deleteMany({ where: { projectId } })
  // Some are answered at once, the others after the kill.
  const open: (() => void)[] = []
  let killing = true
  const isSlow = ({ body }: Received) => body.includes('"slow":true')
  hook.answer((response, request) => (killing && isSlow(request) ? void open.push(() => response.end()) : response.end()))
  const first = await hooked(ctx, { url: hook.url }, { data: { slow: true } })
  const all = [first]
  for (let more = 1; more < 10; more++) all.push(await start(ctx, first, { data: { slow: more % 2 === 0 } }))
  const done = () => world.db.prisma.workflowExecution.count({ where: { projectId, status: 'EXITED' } })
  const worker = await workers.start(server.url)
  await until(async () => hook.received.length === 10 && (await done()) === 5)
  await workers.kill(worker)
  killing = false
  // As if the lease had run out.
  await world.db.prisma.workflowCall.updateMany({ where: { projectId }, data: { dueAt: new Date(0) } })
  const last = await workers.start(server.url)
  await until(async () => (await done()) === 10)
  await workers.kill(last)

  const byId = Map.groupBy(hook.received, ({ headers }) => headers['webhook-id'])
  expect([...byId.values()].map((some) => some.length).sort()).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2])
  for (const some of byId.values()) expect(new Set(some.map(({ body }) => body)).size).toBe(1)
  const [secret = ''] = await getSigningSecrets({ ...ctx, vault: createVault('a secret that every worker of a story shares') })
  expect(hook.received.every((request) => isSignedWith(secret, request))).toBe(true)
  for (const one of all) {
    const { exitReason, did } = await seen(one)
    const made = byId.get(did.id)?.length
    expect([exitReason, did.attempts]).toEqual(['done', made])
  }
}, 120_000)
