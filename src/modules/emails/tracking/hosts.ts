import type { Ctx } from '../../../kit/context.ts'
import { within } from '../../../kit/deadline.ts'
import { isTransient } from '../../../kit/postgres/db.ts'
import { linkDomainOf } from '../../auth/calls/origin.ts'
import { maySendFrom } from '../../domains/sending.ts'
import { readClickToken } from './links.ts'
import { findSentFrom } from './sql.ts'

const maxWaitMs = 1_000

/**
 * Whether a tracked link may lead to its target from the host that it was asked on. Every project can make links to any target, and
 * anyone can put them on another host that leads here: on the link host of a domain only those of projects that may send from the domain
 * lead on, and those of emails that were sent from it. While the database does not answer, none do.
 */
export async function mayLeadOn(ctx: Ctx, { token, host }: { token: string; host: string | undefined }): Promise<boolean> {
  const { world } = ctx
  const domain = linkDomainOf(world, host)
  if (domain === null) return true
  const email = readClickToken(ctx, token)
  if (!email) return false
  const known = isFrom(ctx, { ...email, domain }).catch((error: unknown) => {
    if (!isTransient(error))
      world.log.error({ err: error, domain }, 'emails: it could not be told whether a tracked link is one of its host')
    return false
  })
  return within(maxWaitMs, known, () => false)
}

async function isFrom({ world }: Ctx, { projectId, id, domain }: { projectId: string; id: string; domain: string }): Promise<boolean> {
  return (await maySendFrom(world, projectId, domain)) || (await world.db.lookups.run(findSentFrom, [projectId, id, domain])).length > 0
}
