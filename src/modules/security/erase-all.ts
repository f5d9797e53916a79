import { eraser } from '../../kit/postgres/erase.ts'

/** Removes the reputation of a project that is deleted; answers how many rows. */
export const eraseReputation = eraser('reputations', 'project_id', 1)

/** Removes the hours of a project that is deleted, a batch at a time; answers how many rows, 0 when none is left. */
export const eraseSomeHours = eraser('reputation_hours', 'hour', 1_000)

/** Removes the suspensions of a project that is deleted, a batch at a time; answers how many rows, 0 when none is left. */
export const eraseSomeSuspensions = eraser('suspensions', 'id', 1_000)
