import type { Ctx } from '../../../kit/context.ts'
import { dashboardUrl } from '../../../kit/dashboard.ts'
import { Failure } from '../../../kit/errors.ts'
import { errorPage } from '../../../kit/html/layout.ts'
import type { PageAnswer } from '../../../kit/html/page.ts'
import type { FormError } from './account.ts'

/** Answers with an error page when a link is invalid or has expired; other failures are thrown. */
export async function orLinkError({ world }: Ctx, work: () => Promise<PageAnswer>): Promise<PageAnswer> {
  return work().catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'BAD_REQUEST') throw error
    const text = [error.message, error.suggestion].filter(Boolean).join(' ')
    return errorPage({ title: 'This link no longer works', text, status: 404, home: dashboardUrl(world) })
  })
}

// Errors that people can correct.
const correctable = [
  'VALIDATION_ERROR',
  'INVALID_CREDENTIALS',
  'FORBIDDEN',
  'EMAIL_VERIFICATION_REQUIRED',
  'RATE_LIMIT_EXCEEDED',
  'CONFLICT',
]

/** Shows an error that people can correct above the form they filled in; other failures are thrown. */
export async function orFormAgain(form: (error: FormError) => PageAnswer, work: () => Promise<PageAnswer>): Promise<PageAnswer> {
  return work().catch((error: unknown) => {
    if (!(error instanceof Failure) || !correctable.includes(error.code)) throw error
    const answer = form({ sentence: sentenceOf(error), status: error.status })
    return { ...answer, headers: { ...answer.headers, ...error.headers } }
  })
}

function sentenceOf({ code, message, errors }: Failure): string {
  if (code === 'INVALID_CREDENTIALS') return 'The password is wrong.'
  const [first] = errors ?? []
  return first ? `The password ${first.message}.` : message
}
