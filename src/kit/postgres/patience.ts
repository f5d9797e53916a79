/** How long the work of a call waits for its turn. */
export interface Patience {
  /** Ends when the caller has left; undefined where nothing ends it. */
  ended(): AbortSignal | undefined
  /** Says that something is being changed for the caller: what follows is done as well, whether they have left or not. */
  changes(): void
}

/** The patience of work for a caller who may leave: until something has been changed, so that no change is made by half. */
export function untilLeft(left: (() => AbortSignal) | undefined): Patience {
  let isChanging = false
  return {
    ended: () => (isChanging ? undefined : left?.()),
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
