/** How much of a full batch to write in one transaction. */
export interface Portion {
  /** A share of a full batch, 1 at most. */
  share(): number
  /** Takes note of how many ms the statements of the last portion took. */
  took(ms: number): void
}

const aimMs = 200

/**
 * Adapts batches to what is in them. A row may be a thousand times wider than most, and while a transaction is open that has written,
 * no reader of the log comes past it: one that takes long delays the live streams, workflows and webhooks of everybody.
 *
 * @param first the share to begin with, when nothing is known of the rows
 * @param min   the least share
 */
export function createPortion({ first, min }: { first: number; min: number }): Portion {
  let share = first
  return {
    share: () => share,
    took(ms) {
      if (ms > 2 * aimMs) share = Math.max(min, (share * aimMs) / ms)
      if (ms < aimMs / 2) share = Math.min(1, share * 2)
    },
  }
}
