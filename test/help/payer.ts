import { createCheckout } from '../../src/modules/billing/stripe/checkout.ts'
import { syncAccount } from '../../src/modules/billing/stripe/sync.ts'
import { sendEmail } from '../../src/modules/emails/accept/send.ts'
import { SendDraft } from '../../src/modules/emails/accept/shapes.ts'
import { sendingProject } from './mails.ts'
import type { FakeStripe } from './stripe.ts'
import type { TestWorld } from './world.ts'

let serial = 0

/** A project with a customer at the payment provider, and what its customer does there. */
export async function payer(world: TestWorld, stripe: FakeStripe) {
  const { ctx, projectId } = await sendingProject(world)
  await createCheckout(ctx, { id: projectId })
  const customer = (await world.db.prisma.billingAccount.findUniqueOrThrow({ where: { projectId } })).customer ?? ''
  const nowInSeconds = () => Math.floor(world.clock.now().getTime() / 1_000)
  const of = () => stripe.subscriptions.filter((one) => one.customer === customer)
  const sync = () => syncAccount(world, { customer })
  const begin = () => stripe.subscriptions.unshift({ id: `sub_payer${serial++}`, customer, status: 'active', currency: 'usd' })
  const end = () => {
    for (const one of of()) Object.assign(one, { status: 'canceled', ended_at: one.ended_at ?? nowInSeconds() })
  }
  const reported = () => [...stripe.meter.values()].filter((event) => event.customer === customer)
  return {
    ctx,
    projectId,
    customer,
    sync,
    /** Starts a subscription; the installation learns of it with `sync`. */
    begin,
    /** Ends the subscriptions; the installation learns of it with `sync`. */
    end,
    subscribe: async () => {
      begin()
      await sync()
    },
    cancel: async () => {
      end()
      await sync()
    },
    /** Sends one email to each of so many addresses. */
    send: (count: number) => {
      const to = Array.from({ length: count }, () => `to${serial++}@example.com`)
      return sendEmail(ctx, SendDraft.parse({ to, from: 'hello@demo.test', subject: 'Hi', body: 'Hi' }))
    },
    reported,
    /** How many emails were reported, and for which second. */
    events: () => reported().map(({ value, timestamp }) => [value, timestamp]),
    total: () => reported().reduce((sum, { value }) => sum + value, 0),
    nowInSeconds,
  }
}
