/** Time as the program sees it: a parameter everywhere, so that a test can turn it. */
export interface Clock {
  now(): Date
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() }
