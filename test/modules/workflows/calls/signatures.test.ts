import { expect, test } from 'vitest'
import { getProject, rotateWebhookSecret } from '../../../../src/modules/projects/projects.ts'
import { isSignedWith, receiver } from '../../../help/receiver.ts'
import { hooked } from '../../../help/webhooks.ts'
import { runAll } from '../../../help/workflows.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const world = await testWorld()
const hook = await receiver()
const config = { url: hook.url }
const hour = 3_600_000

test('both secrets sign for 24 hours after a rotation, also after a second one', async () => {
  const { ctx, projectId: id } = await freshProject(world)
  const secretNow = async () => (await getProject(ctx, {})).webhookSecret ?? ''
  const signatures = async () => {
    await hooked(ctx, config)
    await runAll(world)
    return hook.received.splice(0)[0]
  }
  const first = await secretNow()
  const { webhookSecret: second = '' } = await rotateWebhookSecret(ctx, { id })
  world.clock.turn(12 * hour)
  const { webhookSecret: third = '' } = await rotateWebhookSecret(ctx, { id })
  expect(new Set([first, second, third]).size).toBe(3)
  const all = await signatures()
  expect(all?.headers['webhook-signature']?.split(' ')).toHaveLength(3)
  expect([first, second, third].map((secret) => all && isSignedWith(secret, all))).toEqual([true, true, true])
  world.clock.turn(12 * hour)
  const later = await signatures()
  expect([first, second, third].map((secret) => later && isSignedWith(secret, later))).toEqual([false, true, true])
  world.clock.turn(12 * hour)
  const last = await signatures()
  expect([first, second, third].map((secret) => last && isSignedWith(secret, last))).toEqual([false, false, true])
})
