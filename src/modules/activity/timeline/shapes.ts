import { z } from 'zod'

/** Whether a bounce is for good. */
export const BounceType = z.enum(['Permanent', 'Transient'])
/** Whether a bounce is for good. */
export type BounceType = z.output<typeof BounceType>
