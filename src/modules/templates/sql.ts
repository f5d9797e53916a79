import { eraser } from '../../kit/postgres/erase.ts'

// Each may be megabytes long.
const templatesAtOnce = 500

/** Removes one batch of a project's templates; answers how many, 0 when none is left. */
export const eraseSomeTemplates = eraser('templates', 'id', templatesAtOnce)
