import type { Ctx } from '../../kit/context.ts'
import { lowestId } from '../../kit/ids.ts'
import { sumCounts, sumEngaged } from './sql.ts'

const dayMs = 86_400_000
const usualDays = 30
// A mail may wait this long before it is sent, so ids from before the first day are looked at too.
const longestWaitMs = 2 * dayMs

/**
 * What happened in some UTC days, both included, in figures: events as counted from the log (at most 2 s behind), opened
 * and clicked mails among those sent in these days, each once, and their rates in percent of sent (one decimal).
 */
export async function getActivityStats(
  { db, clock, projectId }: Pick<Ctx, 'db' | 'clock' | 'projectId'>,
  { startDate, endDate }: { startDate?: Date | undefined; endDate?: Date | undefined },
) {
  const last = startOfDay(endDate ?? clock.now())
  const first = startOfDay(startDate ?? new Date(last.getTime() - usualDays * dayMs))
  const fromId = lowestId('email', new Date(first.getTime() - longestWaitMs))
  const [[counts], [engaged]] = await Promise.all([
    db.run(sumCounts, [projectId, first, last]),
    db.run(sumEngaged, [projectId, fromId, first, new Date(last.getTime() + dayMs)]),
  ])
  const { total = 0, sent = 0, started = 0 } = counts ?? {}
  const { opened = 0, clicked = 0 } = engaged ?? {}
  const percent = (part: number) => (sent === 0 ? 0 : Math.round((part / sent) * 1000) / 10)
  return {
    totalEvents: total,
    totalEmailsSent: sent,
    totalEmailsOpened: opened,
    totalEmailsClicked: clicked,
    totalWorkflowsStarted: started,
    openRate: percent(opened),
    clickRate: percent(clicked),
  }
}

function startOfDay(at: Date): Date {
  return new Date(at.getTime() - (at.getTime() % dayMs))
}
