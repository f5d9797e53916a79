/** What callers are told of an idempotency key. */
export const idempotencyKeyHint =
  '1 to 255 printable ASCII characters: repeating the call with the same key within 24 hours answers the first answer again and does nothing. The header Idempotency-Key says the same.'

/** What callers are told of an answer that was given before. */
export const replayedHint = 'Whether this is the first answer to the same idempotency key, given again.'
