const firstDays = [50, 100, 500, 1_000, 5_000, 10_000, 20_000, 40_000, 70_000, 100_000, 150_000]
const growth = 1.3
const enough = 10_000_000

/**
 * How many emails may leave from a domain on each day of its warm-up. Mailbox providers distrust a domain that sends much from one day
 * to the next: it begins as the warm-up schedules for new addresses of large senders do, and then grows by 30 % per day up to 10 million,
 * after which there is no limit.
 */
export const dailyLimits: readonly number[] = limitsFrom(firstDays)

function limitsFrom(limits: readonly number[]): number[] {
  const last = limits.at(-1) ?? 0
  return last >= enough ? [...limits] : limitsFrom([...limits, Math.round((last * growth) / 1_000) * 1_000])
}

const dayMs = 86_400_000

/** The day of a warm-up, from 1: days are those of UTC. */
export function dayOfWarmUp(startedAt: Date, now: Date): number {
  return Math.max(1, Math.floor(now.getTime() / dayMs) - Math.floor(startedAt.getTime() / dayMs) + 1)
}

/** What an email waits for whose domain has reached the limit of the day: the key by which it is found. */
export function waitsForWarmUp(domain: string): `WARM_UP:${string}` {
  return `WARM_UP:${domain}`
}

/** Why it waits, for people. */
export function warmUpReason(domain: string): string {
  return `The domain ${domain} is being warmed up, and today’s limit is reached: this email waits until tomorrow (UTC).`
}
