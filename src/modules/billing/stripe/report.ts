import { Failure } from '../../../kit/errors.ts'
import type { World } from '../../../kit/world.ts'
import { periodOf } from '../period.ts'
import { dropEvents, endReport, fixReports, type Report } from './sql.ts'
import { askStripe } from './stripe.ts'
import { monthsOf } from './sync.ts'

const projectsAtOnce = 100
const retentionMs = 30 * 86_400_000

/**
 * Reports to the payment provider, per month, how many emails the paying projects have had accepted since the last report. The
 * number is fixed in the database before it is reported, and the fixed range is the identifier of the meter event: after a
 * crash the same event is reported again and counted once. A report that fails does not hold up those of other projects.
 */
export async function reportUsage(world: World): Promise<void> {
  if (!world.config.billing) return
  const months = monthsOf(world.clock.now())
  for (let after = ''; ; ) {
    const reports = await world.db.run(fixReports, [months, after, projectsAtOnce])
    for (const report of reports) {
      if (world.closing.aborted) return
      await sendReport(world, report)
    }
    if (reports.length < projectsAtOnce) return
    after = reports.at(-1)?.projectId ?? ''
  }
}

/** Deletes events of the payment provider that are older than 30 days. */
export async function forgetEvents({ db, clock }: Pick<World, 'db' | 'clock'>): Promise<void> {
  await db.run(dropEvents, [new Date(clock.now().getTime() - retentionMs)])
}

async function sendReport(world: World, { projectId, customer, period, reported, pending }: Report): Promise<void> {
  const identifier = `${projectId}:${period}:${reported}-${pending}`
  const lastMs = periodOf(new Date(period)).end.getTime() - 1_000
  const event = {
    event_name: world.config.STRIPE_METER_EVENT_NAME,
    payload: { stripe_customer_id: customer, value: String(pending - reported) },
    identifier,
    // The last emails of a month are billed in that month, also when they are reported in the next one.
    timestamp: Math.floor(Math.min(world.clock.now().getTime(), lastMs) / 1_000),
  }
  try {
    await askStripe(world, async (stripe) => {
      await stripe.billing.meterEvents.create(event).catch((error: unknown) => {
        if (!isDuplicateEvent(error)) throw error
      })
    })
    await world.db.run(endReport, [projectId, period, reported, pending])
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
}

// The provider's error for an event that it already has: the response to the first report was lost.
function isDuplicateEvent(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return code === 'duplicate_meter_event' || /event already exists with identifier/i.test(message ?? '')
}
