/** How many emails were sent in a period, and what happened to them. */
export interface Counts {
  sent: number
  /** Hard bounces only. */
  bounces: number
  complaints: number
}

/** The counts of a project by period. */
export interface Windows {
  twentyFourHour: Counts
  sevenDay: Counts
  allTime: Counts
}

/** How serious a rate is. */
export type Level = 'healthy' | 'warning' | 'critical'

/** A rate or count that is too high: its metric, and a sentence about it. */
export interface Finding {
  metric: Metric
  sentence: string
}

/** The two metrics of a reputation. */
export type Metric = 'bounces' | 'complaints'

/** The result of judging the counts of a project. */
export interface Verdict {
  levels: { bounce7Day: Level; bounceAllTime: Level; complaint7Day: Level; complaintAllTime: Level }
  /** Critical findings: the project is suspended for them. */
  violations: Finding[]
  warnings: Finding[]
}

/** A rate is judged only from this many emails on. */
export const minEmails = 100
/** A project is new for this many days: absolute limits apply to it as well. */
export const newForDays = 30

// Thresholds in percent of the emails sent.
const rates = {
  bounce7Day: { window: 'sevenDay', metric: 'bounces', warning: 5, critical: 10 },
  bounceAllTime: { window: 'allTime', metric: 'bounces', warning: 4, critical: 8 },
  complaint7Day: { window: 'sevenDay', metric: 'complaints', warning: 0.075, critical: 0.15 },
  complaintAllTime: { window: 'allTime', metric: 'complaints', warning: 0.03, critical: 0.12 },
} as const
// Minimum counts, so that a few bounces of a small project do not exceed a rate.
const minCounts = { bounces: { warning: 5, critical: 10 }, complaints: { warning: 3, critical: 5 } }
const newProjectLimits = [
  { window: 'twentyFourHour', metric: 'bounces', warning: 10, critical: 25 },
  { window: 'sevenDay', metric: 'bounces', warning: 25, critical: 50 },
  { window: 'twentyFourHour', metric: 'complaints', warning: 3, critical: 7 },
  { window: 'sevenDay', metric: 'complaints', warning: 10, critical: 20 },
] as const

const metricNames = { bounces: 'hard bounces', complaints: 'complaints' }
const periodNames = { twentyFourHour: 'in the last 24 hours', sevenDay: 'in the last 7 days', allTime: 'in total' }

/** Judges the counts of a project: rates from 100 emails in their period on, the limits of new projects from 100 in total on. */
export function judge(windows: Windows, { isNew }: { isNew: boolean }): Verdict {
  const levels = {
    bounce7Day: levelOf(windows, 'bounce7Day'),
    bounceAllTime: levelOf(windows, 'bounceAllTime'),
    complaint7Day: levelOf(windows, 'complaint7Day'),
    complaintAllTime: levelOf(windows, 'complaintAllTime'),
  }
  const findings = Object.entries(levels).map(([name, level]) => ({ level, ...rateFinding(windows, name as RateName) }))
  const reached = isNew && windows.allTime.sent >= minEmails ? newProjectLimits.map((limit) => limitFinding(windows, limit)) : []
  const of = (wanted: Level): Finding[] =>
    [...findings, ...reached].filter(({ level }) => level === wanted).map(({ metric, sentence }) => ({ metric, sentence }))
  return { levels, violations: of('critical'), warnings: of('warning') }
}

/** A count in percent of the emails sent, rounded to three decimals. */
export function percent(count: number, sent: number): number {
  return sent === 0 ? 0 : Math.round((count / sent) * 100_000) / 1_000
}

type RateName = keyof typeof rates

function levelOf(windows: Windows, name: RateName): Level {
  const { window, metric, warning, critical } = rates[name]
  const { sent, [metric]: count } = windows[window]
  if (sent < minEmails) return 'healthy'
  // Not rounded, so that a rate just below a threshold stays below it.
  const rate = (count / sent) * 100
  if (rate >= critical && count >= minCounts[metric].critical) return 'critical'
  return rate >= warning && count >= minCounts[metric].warning ? 'warning' : 'healthy'
}

function rateFinding(windows: Windows, name: RateName): Finding {
  const { window, metric, warning, critical } = rates[name]
  const { sent, [metric]: count } = windows[window]
  const sentence = `${percent(count, sent)} % ${metricNames[metric]} ${periodNames[window]} (${count} of ${sent} emails). The warning threshold is ${warning} %, the critical threshold ${critical} %.`
  return { metric, sentence }
}

function limitFinding(
  windows: Windows,
  { window, metric, warning, critical }: (typeof newProjectLimits)[number],
): Finding & { level: Level } {
  const count = windows[window][metric]
  const level = count >= critical ? 'critical' : count >= warning ? 'warning' : 'healthy'
  const sentence = `${count} ${metricNames[metric]} ${periodNames[window]}. For a project younger than ${newForDays} days the warning threshold is ${warning}, the critical threshold ${critical}.`
  return { level, metric, sentence }
}
