import type { Patience } from '../turns.ts'

/** How long the work of a call waits for its turns. */
export interface CallPatience {
  /** That of the next piece of work: until the caller has left, or where something has been changed for them as long as it takes. */
  next(): Patience
  /** Says that something is being changed for the caller: what follows is done as well, whether they have left or not. */
  changes(): void
}

const untilDone: Patience = { maxMs: undefined }

/**
 * The patience of work for a caller who may leave: until something has been changed, so that no change is made by half, and none is
 * answered as if it had not been made.
 */
export function untilLeft(left: (() => AbortSignal) | undefined): CallPatience {
  let isChanging = false
  return {
    next: () => (left && isChanging ? untilDone : { ended: left?.() }),
    changes() {
      isChanging = true
    },
  }
}

// A row that is locked counts as well: who locks one means to change something.
const changing = /\b(?:insert|update|delete|merge)\b/i

/** Whether a statement may change something, by its text. */
export function isChange(sql: string): boolean {
  return changing.test(sql)
}

/** Whether a query of Prisma, by its name, changes something. */
export function isChangeOfPrisma(query: string): boolean {
  return /^(?:create|update|upsert|delete)/.test(query)
}
