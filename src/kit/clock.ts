/** The program's source of time: a parameter everywhere, so that a test can turn the clock. */
export interface Clock {
  now(): Date
  /** How far a test has turned this clock, in milliseconds: added where Postgres's clock is used. 0 outside tests. */
  readonly aheadMs: number
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date(), aheadMs: 0 }
