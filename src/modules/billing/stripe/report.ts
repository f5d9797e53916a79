import { Failure } from '../../../kit/errors.ts'
import type { World } from '../../../kit/world.ts'
import { periodOf } from '../period.ts'
import { dropEvents, endReport, fixReports, type Report } from './sql.ts'
import { askStripe } from './stripe.ts'
import { monthsOf } from './sync.ts'

const projectsAtOnce = 100
const keptMs = 30 * 86_400_000

/**
 * Tells the payment provider how many mails the projects that pay have had accepted since it was last told, by month. How
 * many is fixed before it is told, and the fixed range is the event's identifier: after a crash the same is told again and
 * counted once. A project that cannot be told of holds up no other.
 */
export async function reportUsage(world: World): Promise<void> {
  if (!world.config.billing) return
  const months = monthsOf(world.clock.now())
  for (let after = ''; ; ) {
    const reports = await world.db.run(fixReports, [months, after, projectsAtOnce])
    for (const report of reports) {
      if (world.closing.aborted) return
      await tell(world, report)
    }
    if (reports.length < projectsAtOnce) return
    after = reports.at(-1)?.projectId ?? ''
  }
}

/** Forgets events of the payment provider that are older than 30 days. */
export async function forgetEvents({ db, clock }: Pick<World, 'db' | 'clock'>): Promise<void> {
  await db.run(dropEvents, [new Date(clock.now().getTime() - keptMs)])
}

async function tell(world: World, { projectId, customer, period, reported, pending }: Report): Promise<void> {
  const identifier = `${projectId}:${period}:${reported}-${pending}`
  const lastMs = periodOf(new Date(period)).end.getTime() - 1_000
  const event = {
    event_name: world.config.STRIPE_METER_EVENT_NAME,
    payload: { stripe_customer_id: customer, value: String(pending - reported) },
    identifier,
    // What a month's last mails cost belongs to that month, also when they are told of in the next.
    timestamp: Math.floor(Math.min(world.clock.now().getTime(), lastMs) / 1_000),
  }
  try {
    await askStripe(world, async (stripe) => {
      await stripe.billing.meterEvents.create(event).catch((error: unknown) => {
        if (!isKnownAlready(error)) throw error
      })
    })
    await world.db.run(endReport, [projectId, period, reported, pending])
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
}

// The answer to the first telling was lost; that is how the provider says that it has it.
function isKnownAlready(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return code === 'duplicate_meter_event' || /event already exists with identifier/i.test(message ?? '')
}
