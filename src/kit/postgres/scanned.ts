import { Failure } from '../errors.ts'
import { isStatementTimeout } from './db.ts'

/**
 * Waits for a statement of `db.scans`. Fails with SERVICE_UNAVAILABLE, a sentence and a suggestion, when it was cancelled because
 * it took too long: that depends on what else the database does.
 */
export async function scanned<Rows>(running: Promise<Rows>, sentence: string, suggestion = 'Try again in a moment.'): Promise<Rows> {
  try {
    return await running
  } catch (error) {
    if (!isStatementTimeout(error)) throw error
    throw new Failure('SERVICE_UNAVAILABLE', sentence, { suggestion, headers: { 'Retry-After': '5' } })
  }
}
