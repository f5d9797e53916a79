import { eraser } from '../../kit/postgres/erase.ts'

/** Removes the account and caps of a project that is deleted; answers how many rows. */
export const eraseAccount = eraser('billing_accounts', 'project_id', 1)

/** Removes the months of a project that is deleted, a batch at a time; answers how many rows, 0 when none is left. */
export const eraseSomeUsage = eraser('billing_usage', 'period', 1_000)

/** Removes what the payment provider was told of a project that is deleted; answers how many rows, 0 when none is left. */
export const eraseSomeReports = eraser('billing_reports', 'period', 1_000)
