/** Somebody who asks to be tried; `now` in milliseconds. The lowest `rank` is tried first. */
export interface Candidate {
  projectId: string
  rank: number
  now: number
}

/**
 * Which emails are tried after a pause of all sending, one at a time, to find out whether the mail server accepts any again. Of
 * those that wait the lowest rank is tried first, and a project whose trial was refused waits for as long as a pause. Times are
 * in milliseconds.
 */
export interface Trials {
  /** Remembers that somebody was told to come back at a time: higher ranks wait a moment longer for it. */
  expect(rank: number, at: number): void
  /** Until when somebody has to wait; null when it may be tried now. */
  waitOf(candidate: Candidate): number | null
  /** Begins a trial of a project, whose next one comes after those of others; call what it returns when the attempt has ended. */
  begin(projectId: string): () => void
  /** Records that the trial of a project was refused. Returns how many projects' trials were refused so far. */
  refuse(projectId: string, until: number): number
}

/** How long the others wait while an email is tried, and how long an expected one may be late, in milliseconds. */
export const trialMs = 10_000

// How many ranks candidates have; a project that has been tried comes after all that have been tried less often.
const ranks = 6
const maxTurns = 50

/** The trials after one pause. */
export function createTrials(): Trials {
  const refused = new Map<string, number>()
  const tried = new Map<string, number>()
  // Per rank, until when somebody is expected.
  const expected: number[] = []
  let trying = false

  const trials: Trials = {
    expect(rank, at) {
      expected[rank] = Math.max(expected[rank] ?? 0, at + trialMs)
    },
    waitOf({ projectId, rank: ownRank, now }) {
      const rank = ownRank + ranks * Math.min(tried.get(projectId) ?? 0, maxTurns)
      const until = refused.get(projectId) ?? 0
      if (until > now) return until
      if (!trying && !expected.slice(0, rank).some((at) => at > now)) return null
      trials.expect(rank, now + trialMs)
      return now + trialMs
    },
    begin(projectId) {
      tried.set(projectId, (tried.get(projectId) ?? 0) + 1)
      trying = true
      return () => {
        trying = false
      }
    },
    refuse(projectId, until) {
      refused.set(projectId, until)
      return refused.size
    },
  }
  return trials
}
