import { eraser } from '../../kit/postgres/erase.ts'

/** Forgets one batch of a project's idempotency keys, whose answers name what is gone; answers how many, 0 when none is left. */
export const eraseSomeAnswers = eraser('idempotency_keys', 'key', 5_000)
