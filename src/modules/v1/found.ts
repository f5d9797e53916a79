import type { Ctx } from '../../kit/context.ts'
import { findContactById } from '../contacts/connection.ts'
import { findEmail } from '../emails/connection.ts'
import { findEvent } from '../events/connection.ts'

type Asker = Pick<Ctx, 'db' | 'projectId'>

/** The contact of an answer, or null once it has been deleted; `query` says what to read of it. */
export async function findRecipient(ctx: Asker, id: string, query: object) {
  return findContactById(ctx, { id }, query)
}

/** The mail of an answer, or null once its contact has been deleted. */
export async function findSentEmail(ctx: Asker, id: string, query: object) {
  return findEmail(ctx, { id }, query)
}

/** The event of an answer, or null once it has been deleted. */
export async function findTrackedEvent(ctx: Asker, id: string, query: object) {
  return findEvent(ctx, { id }, query)
}
