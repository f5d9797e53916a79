import { z } from 'zod'

/** The key under which a call may be repeated, as a field of its input. */
export const IdempotencyKey = z
  .string()
  .optional()
  .describe(
    '1 to 255 printable ASCII characters. Repeating the call with the same key within 24 hours does nothing and gives the first answer again. While the first call is running it fails with IDEMPOTENCY_KEY_IN_PROGRESS, and with another input with IDEMPOTENCY_KEY_MISMATCH. The header Idempotency-Key does the same.',
  )

/** Describes `replayed` in results. */
export const replayedHint = 'Whether the call was done before under the same idempotency key: then this is its first answer again.'
