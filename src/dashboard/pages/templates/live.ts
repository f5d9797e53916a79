import type { LiveItem } from '../../data/live.ts'

/** Whether a template may have been sent: which one, the stream does not say. */
export const countsForTemplates = ({ type }: LiveItem): boolean => type === 'EMAIL_SENT'

/** A large campaign sends thousands of emails per minute. */
export const refreshMs = 5_000
