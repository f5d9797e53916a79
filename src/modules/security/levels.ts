/** What happened to the mails of a window of time. */
export interface Counts {
  sent: number
  /** Hard bounces only. */
  bounces: number
  complaints: number
}

/** The mails of a project by window. */
export interface Windows {
  twentyFourHour: Counts
  sevenDay: Counts
  allTime: Counts
}

/** How bad a rate is. */
export type Level = 'healthy' | 'warning' | 'critical'

/** What is too high: the metric, and a sentence about it. */
export interface Finding {
  metric: Metric
  sentence: string
}

/** What a reputation is lost by. */
export type Metric = 'bounces' | 'complaints'

/** What the numbers say. */
export interface Verdict {
  levels: { bounce7Day: Level; bounceAllTime: Level; complaint7Day: Level; complaintAllTime: Level }
  /** Critical: the project is suspended for it. */
  violations: Finding[]
  warnings: Finding[]
}

/** Below so many mails nothing is held against a project. */
export const fewestMails = 100
/** A project is new for so many days: absolute ceilings hold for it as well. */
export const newForDays = 30

// Percent of the mails sent, and from how many on.
const rates = {
  bounce7Day: { window: 'sevenDay', metric: 'bounces', warning: 5, critical: 10 },
  bounceAllTime: { window: 'allTime', metric: 'bounces', warning: 4, critical: 8 },
  complaint7Day: { window: 'sevenDay', metric: 'complaints', warning: 0.075, critical: 0.15 },
  complaintAllTime: { window: 'allTime', metric: 'complaints', warning: 0.03, critical: 0.12 },
} as const
const fewest = { bounces: { warning: 5, critical: 10 }, complaints: { warning: 3, critical: 5 } }
const ceilings = [
  { window: 'twentyFourHour', metric: 'bounces', warning: 10, critical: 25 },
  { window: 'sevenDay', metric: 'bounces', warning: 25, critical: 50 },
  { window: 'twentyFourHour', metric: 'complaints', warning: 3, critical: 7 },
  { window: 'sevenDay', metric: 'complaints', warning: 10, critical: 20 },
] as const

const words = { bounces: 'hard bounces', complaints: 'complaints' }
const spans = { twentyFourHour: 'in the last 24 hours', sevenDay: 'in the last 7 days', allTime: 'in all' }

/** Judges the mails of a project: rates from 100 mails of their window on, ceilings for new projects from 100 in all on. */
export function judge(windows: Windows, { isNew }: { isNew: boolean }): Verdict {
  const levels = {
    bounce7Day: levelOf(windows, 'bounce7Day'),
    bounceAllTime: levelOf(windows, 'bounceAllTime'),
    complaint7Day: levelOf(windows, 'complaint7Day'),
    complaintAllTime: levelOf(windows, 'complaintAllTime'),
  }
  const findings = Object.entries(levels).map(([name, level]) => ({ level, ...rateFinding(windows, name as RateName) }))
  const reached = isNew && windows.allTime.sent >= fewestMails ? ceilings.map((ceiling) => ceilingFinding(windows, ceiling)) : []
  const of = (wanted: Level): Finding[] =>
    [...findings, ...reached].filter(({ level }) => level === wanted).map(({ metric, sentence }) => ({ metric, sentence }))
  return { levels, violations: of('critical'), warnings: of('warning') }
}

/** Some of the mails sent, in percent; three decimals. */
export function percent(count: number, sent: number): number {
  return sent === 0 ? 0 : Math.round((count / sent) * 100_000) / 1_000
}

type RateName = keyof typeof rates

function levelOf(windows: Windows, name: RateName): Level {
  const { window, metric, warning, critical } = rates[name]
  const { sent, [metric]: count } = windows[window]
  if (sent < fewestMails) return 'healthy'
  // Unrounded, so that a rate just below a threshold stays below it.
  const rate = (count / sent) * 100
  if (rate >= critical && count >= fewest[metric].critical) return 'critical'
  return rate >= warning && count >= fewest[metric].warning ? 'warning' : 'healthy'
}

function rateFinding(windows: Windows, name: RateName): Finding {
  const { window, metric, warning, critical } = rates[name]
  const { sent, [metric]: count } = windows[window]
  const sentence = `${percent(count, sent)} % ${words[metric]} ${spans[window]} (${count} of ${sent} mails): warned of from ${warning} % on, critical from ${critical} % on.`
  return { metric, sentence }
}

function ceilingFinding(windows: Windows, { window, metric, warning, critical }: (typeof ceilings)[number]): Finding & { level: Level } {
  const count = windows[window][metric]
  const level = count >= critical ? 'critical' : count >= warning ? 'warning' : 'healthy'
  const sentence = `${count} ${words[metric]} ${spans[window]}: a project younger than ${newForDays} days is warned from ${warning} on, critical from ${critical} on.`
  return { level, metric, sentence }
}
