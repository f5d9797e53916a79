import type { Ctx } from '../../kit/context.ts'
import { addDays, zoneNamed } from '../../kit/days.ts'
import { compareEvents } from '../events/events.ts'
import { daysOf } from './period.ts'
import { maxDays, type TopEvent, type TopEventsSearch } from './shapes.ts'

const utc = zoneNamed('UTC')

/**
 * The most frequent events of a range of UTC days, with the change against as many days before; at most 2 s behind the log. Events of
 * deleted contacts and deleted names are not counted. Fails with BAD_REQUEST for more than 366 days.
 */
export async function listTopEvents(
  ctx: Pick<Ctx, 'db' | 'clock' | 'projectId'>,
  { limit, tracked, ...asked }: TopEventsSearch,
): Promise<TopEvent[]> {
  if (!utc) throw new Error('There is no UTC')
  const { first, last, count } = daysOf(utc, ctx.clock.now(), { ...asked, maxDays })
  const found = await compareEvents(ctx, { dayBefore: addDays(first, -count), firstDay: first, lastDay: last, tracked, limit })
  return found.map(({ name, count: now, before }) => ({ name, count: now, trend: trendOf(now, before) }))
}

function trendOf(now: number, before: number): number {
  return before === 0 ? 100 : Math.round(((now - before) / before) * 1_000) / 10
}
