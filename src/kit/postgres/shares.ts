import { createShare, type InShare, type Share } from '../share.ts'

const maxLarge = 2
// Rows that Prisma looks up by their keys in parallel are one statement: as many as a page has.
const maxKeys = 100
const slowFromMs = 1_000

/** The connections of each pool. */
export interface PoolSizes {
  /** Of each of those for statements and transactions. */
  size: number
  scans: number
  prisma: number
}

/** What owners, such as people or projects, share. */
export type Shared = 'scans' | 'lists' | 'large' | 'statements' | 'transactions' | 'prisma' | 'keys'

/**
 * How connections are shared by callers: no owner has all of a pool, whatever it asks for, and owners whose work takes long (a lock
 * that somebody holds, a search through much) have half of what callers may have, all of them together.
 */
export function createShares({ size, scans, prisma }: PoolSizes): Record<Shared, InShare> {
  const share = (max: number, maxPerOwner: number, busy: string): Share => ({
    max,
    maxPerOwner,
    busy,
    slow: { fromMs: slowFromMs, max: Math.max(1, Math.floor(max / 2)) },
  })
  const answered = 'Other calls of this project or person are being answered at the moment.'
  const forCallers = Math.ceil(size * 0.6)
  const perOwner = Math.ceil(size * 0.3)
  return {
    scans: createShare(share(scans, scans / 2, 'Other calls of this project or person look through a whole project at the moment.')),
    lists: createShare(share(forCallers, perOwner, 'Other calls of this project or person read lists at the moment.')),
    large: createShare({ max: maxLarge, maxPerOwner: 1, busy: 'Too many large values are being read at the moment.' }),
    statements: createShare(share(size, perOwner, answered)),
    // The rest is for what the program itself does: jobs, campaigns, workflows.
    transactions: createShare(share(forCallers, perOwner, 'Other calls of this project or person change something at the moment.')),
    prisma: createShare(share(prisma, Math.ceil(prisma / 2), answered)),
    keys: createShare({ max: Number.POSITIVE_INFINITY, maxPerOwner: maxKeys, busy: answered }),
  }
}
