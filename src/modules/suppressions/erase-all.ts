import { eraser } from '../../kit/postgres/erase.ts'

/** Removes one batch of a project's suppression list; answers how many, 0 when none is left. */
export const eraseSomeSuppressions = eraser('suppressions', 'email', 5_000)
