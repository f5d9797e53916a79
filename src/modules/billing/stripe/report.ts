import { Failure } from '../../../kit/errors.ts'
import type { World } from '../../../kit/world.ts'
import { periodOf } from '../period.ts'
import {
  dropEvents,
  dropRemainders,
  dropReports,
  endRemainder,
  endReport,
  fixReports,
  postponeRemainder,
  type Report,
  takeRemainders,
} from './sql.ts'
import { askStripe } from './stripe.ts'
import { monthsOf } from './sync.ts'

const reportsAtOnce = 100
const eventsPerBatch = 10_000
const retentionMs = 30 * 86_400_000
// The provider takes no meter events that are dated earlier.
const maxAgeMs = 35 * 86_400_000
// Before the next run.
const retryMs = 4 * 60_000
const refusedRetryMs = 60 * 60_000

/**
 * Reports to the payment provider, per month, how many emails the paying projects have had accepted since the last report, and those of
 * subscriptions that have ended since. The number is fixed in the database before it is reported, and the fixed range is the identifier of
 * the meter event: after a crash the same event is reported again and counted once. A report that fails does not hold up those of other
 * projects.
 */
export async function reportUsage(world: World): Promise<void> {
  if (!world.config.billing) return
  await reportRemainders(world)
  const months = monthsOf(world.clock.now())
  for (let after = ''; ; ) {
    const reports = await world.db.run(fixReports, [months, after, reportsAtOnce])
    for (const report of reports) {
      if (world.closing.aborted) return
      const { projectId, period, reported, pending } = report
      // The last emails of a month are billed in that month, also when they are reported in the next one.
      const lastMs = periodOf(new Date(period)).end.getTime() - 1_000
      const result = await send(world, report, Math.min(world.clock.now().getTime(), lastMs))
      if (result === 'taken') await world.db.run(endReport, [projectId, period, reported, pending])
    }
    if (reports.length < reportsAtOnce) return
    after = reports.at(-1)?.projectId ?? ''
  }
}

async function reportRemainders(world: World): Promise<void> {
  for (let taken = reportsAtOnce; taken === reportsAtOnce; ) {
    const now = world.clock.now().getTime()
    const remainders = await world.db.run(takeRemainders, [new Date(now), new Date(now + retryMs), reportsAtOnce])
    for (const remainder of remainders) {
      if (world.closing.aborted) return
      const key = [remainder.projectId, remainder.period, remainder.reported]
      const result = await send(world, remainder, remainder.datedAt.getTime())
      if (result === 'taken') await world.db.run(endRemainder, key)
      if (result === 'refused') await world.db.run(postponeRemainder, [...key, new Date(now + refusedRetryMs)])
    }
    taken = remainders.length
  }
}

/**
 * Deletes events of the payment provider that are older than 30 days, and gives up what it would not take any more: emails of a
 * subscription that ended 35 days ago, and of months before the last one, each with a warning.
 */
export async function forgetOutdated({ db, clock, log }: Pick<World, 'db' | 'clock' | 'log'>): Promise<void> {
  const now = clock.now()
  const dropSome = async () => (await db.run(dropEvents, [new Date(now.getTime() - retentionMs), eventsPerBatch]))[0]?.count ?? 0
  while ((await dropSome()) === eventsPerBatch);
  const remainders = await db.run(dropRemainders, [new Date(now.getTime() - maxAgeMs)])
  const reports = await db.run(dropReports, [monthsOf(now)[0]])
  for (const unbilled of [...remainders, ...reports])
    log.warn(unbilled, 'billing: emails are not billed, as the payment provider did not take their report in time: bill them by hand')
}

// A repeated report counts once for at least 24 hours after the first, as the provider promises for identifiers.
async function send(world: World, report: Report, atMs: number): Promise<'taken' | 'refused' | 'unavailable'> {
  const { projectId, customer, period, reported, pending } = report
  const event = {
    event_name: world.config.STRIPE_METER_EVENT_NAME,
    payload: { stripe_customer_id: customer, value: String(pending - reported) },
    identifier: `${projectId}:${period}:${reported}-${pending}`,
    timestamp: Math.floor(atMs / 1_000),
  }
  let isRefused = false
  try {
    await askStripe(world, async (stripe) => {
      await stripe.billing.meterEvents.create(event).catch((error: unknown) => {
        if (isDuplicateEvent(error)) return
        isRefused = error instanceof stripe.errors.StripeInvalidRequestError
        throw error
      })
    })
    return 'taken'
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return isRefused ? 'refused' : 'unavailable'
  }
}

// The provider's error for an event that it already has: the response to the first report was lost.
function isDuplicateEvent(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return code === 'duplicate_meter_event' || /event already exists with identifier/i.test(message ?? '')
}
