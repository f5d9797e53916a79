import { eraser } from '../../kit/postgres/erase.ts'

/** Removes one batch of the domains of a project that is deleted; answers how many, 0 when none is left. */
export const eraseSomeDomains = eraser('domains', 'id', 1_000)
