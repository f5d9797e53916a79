import { describe, expect, test } from 'vitest'
import { callIn } from '../../src/kit/context.ts'
import { Failure } from '../../src/kit/errors.ts'
import { routes } from '../../src/server/routes.ts'
import { snsTwin } from '../help/sns.ts'
import { fakeStripe } from '../help/stripe.ts'
import { testWorld } from '../help/world.ts'

const stripe = await fakeStripe()
const sns = snsTwin()
const world = await testWorld({ env: { ...stripe.env, ...sns.env } })
const receivers = routes.flatMap(({ path, signature }) => (signature ? [{ path, ...signature }] : []))

const nothing = '{}'
const message = sns.body(world.clock)
const { body: event, signature: stripeSignature } = stripe.webhook(
  { id: 'evt_1', type: 'invoice.paid', object: {} },
  { at: world.clock.now() },
)

describe('what another service has not signed', () => {
  const headers = { 'stripe-signature': stripeSignature.replace(/v1=./, 'v1=!') }
  test.each(receivers.map((one) => [one.path, one] as const))('%s does not take', async (_path, { verify, signedIn }) => {
    const named = signedIn === 'the body' ? {} : { [signedIn.header.toLowerCase()]: 'signed' }
    for (const text of ['', nothing, event, message.replace(/"Signature":"./, '"Signature":"!')])
      for (const given of [{}, named, headers])
        await expect(verify(callIn(world), { raw: Buffer.from(text), headers: given })).rejects.toBeInstanceOf(Failure)
  })
})

test('both receivers take what is signed', async () => {
  const verify = (wanted: string, text: string) =>
    receivers
      .find(({ path }) => path === wanted)
      ?.verify(callIn(world), { raw: Buffer.from(text), headers: { 'stripe-signature': stripeSignature } })
  expect(await verify('/webhooks/sns', message)).toMatchObject({ Type: 'Notification' })
  expect(await verify('/webhooks/incoming/stripe', event)).toMatchObject({ id: 'evt_1' })
})
