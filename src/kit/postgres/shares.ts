import { createShare, type InShare } from '../share.ts'

const maxLarge = 2

/** How the connections for scans, and those of a pool of `size` that lists and large values are read on, are shared by callers. */
export function createShares({ scans, size }: { scans: number; size: number }): Record<'scans' | 'lists' | 'large', InShare> {
  return {
    scans: createShare({
      max: scans,
      maxPerOwner: scans / 2,
      busy: 'Other calls of this project or person look through a whole project at the moment.',
    }),
    lists: createShare({
      max: Math.ceil(size * 0.6),
      maxPerOwner: Math.ceil(size * 0.3),
      busy: 'Other calls of this project or person read lists at the moment.',
    }),
    large: createShare({ max: maxLarge, maxPerOwner: 1, busy: 'Too many large values are being read at the moment.' }),
  }
}
