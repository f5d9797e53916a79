import type { Ctx } from '../../kit/context.ts'
import { lowestId } from '../../kit/ids.ts'
import { scanned } from '../../kit/postgres/scanned.ts'
import { sumCounts, sumEngaged } from './sql.ts'

const dayMs = 86_400_000
const defaultDays = 30
// Most emails are sent this soon: those of a range of days are looked for among the ids from so long before its begin.
const usualWaitMs = 2 * dayMs
// The line that says that an email was sent may be written after the email was, when Postgres was unavailable meanwhile.
const maxRecordingMs = dayMs

/**
 * The figures of a range of UTC days, both ends included. Events are counted from the log, at most 2 s behind. Opened and
 * clicked emails are those sent in these days, each counted once; their rates are percent of the emails sent (one decimal).
 * Fails with SERVICE_UNAVAILABLE when counting takes longer than 15 s.
 */
export async function getActivityStats(
  { db, clock, projectId }: Pick<Ctx, 'db' | 'clock' | 'projectId'>,
  { startDate, endDate }: { startDate?: Date | undefined; endDate?: Date | undefined },
) {
  const last = startOfDay(endDate ?? clock.now())
  const first = startOfDay(startDate ?? new Date(last.getTime() - (defaultDays - 1) * dayMs))
  const end = new Date(last.getTime() + dayMs)
  const fromId = lowestId('email', new Date(first.getTime() - usualWaitMs))
  const lines = [lowestId('event', first), lowestId('event', new Date(end.getTime() + maxRecordingMs))] as const
  const figures = Promise.all([
    db.scans.run(sumCounts, [projectId, first, last]),
    db.scans.run(sumEngaged, [projectId, fromId, first, end, ...lines]),
  ])
  const [[counts], [engaged]] = await scanned(figures, 'Counting the emails of these days took longer than 15 s.', 'Ask for fewer days.')
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
