/** The program's source of time: a parameter everywhere, so that a test can turn the clock. */
export interface Clock {
  now(): Date
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() }
