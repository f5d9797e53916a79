import { recent } from '../recent.ts'

/** An account whose email may be tried. The lowest `rank` is tried first, among accounts that were tried as often. */
export interface Candidate {
  account: string
  rank: number
}

/**
 * Which emails are tried after a pause of all sending, one at a time, to find out whether the mail server accepts any again.
 * Accounts take turns: of those that wait, one that was tried less often comes first, and among equals the lowest rank. An account
 * whose trial was refused waits for 5 minutes, after the next refusal for 10, and so on up to an hour. Times are in milliseconds.
 */
export interface Trials {
  /** Remembers that somebody was told to come back at a time: those after it wait a moment longer for it. */
  expect(candidate: Candidate, at: number): void
  /** Until when somebody has to wait; null when it may be tried now. */
  waitOf(candidate: Candidate, now: number): number | null
  /** Begins a trial of an account, whose next one comes after those of others; call what it returns when the attempt has ended. */
  begin(account: string): () => void
  /** Whether an email of an account is being tried. */
  isTrying(account: string): boolean
  /**
   * Records that the trial of an account was refused. Returns the trials of how many established accounts were refused since the last
   * pause.
   */
  refuse(sender: { account: string; established: boolean }, now: number): number
  /** Records that all sending is paused again. */
  pause(): void
}

/** Whose email is tried first, by how the last one of its project ended: those of established accounts, and the urgent ones of equals. */
export function rankAmong(
  last: 'accepted' | 'refused' | undefined,
  { established, urgent }: { established: boolean; urgent: boolean },
): number {
  return (last === 'accepted' ? 0 : last === 'refused' ? 4 : 2) + (established ? 0 : ranks / 2) + (urgent ? 0 : 1)
}

/** How long the others wait while an email is tried, and how long an expected one may be late, in milliseconds. */
export const trialMs = 10_000

/**
 * When those that have to wait for a trial ask again, in milliseconds: a call is told 10 s where few ask, and where many do each is
 * told 2 s more than the one before, up to 5 minutes. So a handful ask at any time, however many wait.
 */
export function createReturns(): (now: number) => number {
  let last = 0
  return (now) => {
    last = Math.min(Math.max(last + returnEveryMs, now + trialMs), now + maxReturnMs)
    return last
  }
}

const returnEveryMs = 2_000
const maxReturnMs = 5 * 60_000

/** How long a pause is after so many others in a row, in milliseconds: 5 minutes, 10, 20, 40, then an hour. */
export function pauseMsAfter(pauses: number): number {
  return Math.min(minPauseMs * 2 ** pauses, maxPauseMs)
}

const minPauseMs = 5 * 60_000
const maxPauseMs = 60 * 60_000
// How many ranks candidates have; an account that has been tried comes after all that have been tried less often.
const ranks = 12
const maxTurns = 50
const maxAccounts = 10_000

/** The trials from a first pause until an email is accepted. */
export function createTrials(): Trials {
  const waits = createWaits()
  const tried = recent<string, number>({ max: maxAccounts })
  // Per place, until when somebody is expected.
  const expected: number[] = []
  // Per account and rank, when the next one asks again.
  const returns = recent<string, (now: number) => number>({ max: maxAccounts })
  let trying: string | null = null

  function returnOf({ account, rank }: Candidate, now: number): number {
    const key = `${account} ${rank}`
    const next = returns.get(key) ?? createReturns()
    returns.set(key, next)
    return next(now)
  }

  function placeOf({ account, rank }: Candidate): number {
    return rank + ranks * Math.min(tried.get(account) ?? 0, maxTurns)
  }

  const trials: Trials = {
    expect(candidate, at) {
      if (waits.until(candidate.account) > at) return
      const place = placeOf(candidate)
      expected[place] = Math.max(expected[place] ?? 0, at + trialMs)
    },
    waitOf(candidate, now) {
      const until = waits.until(candidate.account)
      if (until > now) return until
      if (trying === null && !expected.slice(0, placeOf(candidate)).some((at) => at > now)) return null
      // Somebody of the same place asks soon, be it not this one.
      trials.expect(candidate, now + trialMs)
      return returnOf(candidate, now)
    },
    begin(account) {
      tried.set(account, (tried.get(account) ?? 0) + 1)
      trying = account
      return () => {
        trying = null
      }
    },
    isTrying: (account) => trying === account,
    refuse: waits.begin,
    pause: waits.countAnew,
  }
  return trials
}

interface Waits {
  /** Until when an account waits; 0 when it does not. */
  until(account: string): number
  /**
   * Begins its next wait, which is longer than the one before. Returns of how many established accounts waits have begun since they were
   * counted anew.
   */
  begin(sender: { account: string; established: boolean }, now: number): number
  /** Counts anew. */
  countAnew(): void
}

function createWaits(): Waits {
  const waits = recent<string, { times: number; until: number }>({ max: maxAccounts })
  const begun = new Set<string>()
  return {
    until: (account) => waits.get(account)?.until ?? 0,
    begin({ account, established }, now) {
      const { times, until } = waits.get(account) ?? { times: 0, until: 0 }
      // Not once more for an email that was under way at the same time.
      if (until <= now) waits.set(account, { times: times + 1, until: now + pauseMsAfter(times) })
      if (established) begun.add(account)
      return begun.size
    },
    countAnew: () => begun.clear(),
  }
}
