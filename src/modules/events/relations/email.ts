import { batch, readsBeside } from '../../../kit/batch.ts'
import type { Ctx } from '../../../kit/context.ts'
import { lowestId } from '../../../kit/ids.ts'
import { perWorld } from '../../../kit/world.ts'
import { type EmailEvent, readEventsOfEmails } from '../sql.ts'

interface LogKey {
  projectId: string
  contactId: string
  emailId: string
  from: string
}

const maxAtOnce = 500
// The log of an email begins with its acceptance; the clocks of processes may differ a little.
const clockSkewMs = 60_000

const loaderOf = perWorld(({ db }) =>
  batch(
    async (keys: LogKey[]) => {
      const column = (field: keyof LogKey) => keys.map((one) => one[field])
      const rows = await db.run(readEventsOfEmails, [column('projectId'), column('contactId'), column('emailId'), column('from')])
      const lines: EmailEvent[][] = keys.map(() => [])
      for (const { ord, ...line } of rows) lines[ord - 1]?.push(line)
      return lines
    },
    maxAtOnce,
    readsBeside,
  ),
)

/**
 * The events of an email, oldest first, at most 100: where there are more, the last opens and clicks are left out. Concurrent calls are read in one statement.
 */
export async function listEventsOfEmail(
  { world, projectId }: Pick<Ctx, 'world' | 'projectId'>,
  { id, contactId, createdAt }: { id: string; contactId: string; createdAt: Date },
): Promise<EmailEvent[]> {
  return loaderOf(world)({ projectId, contactId, emailId: id, from: lowestId('event', new Date(createdAt.getTime() - clockSkewMs)) })
}

/** How many of the opens and clicks of an email its events leave out. */
export async function countOmittedEvents(
  ctx: Pick<Ctx, 'world' | 'projectId'>,
  email: { id: string; contactId: string; createdAt: Date; opens: number; clicks: number },
): Promise<number> {
  const listed = (await listEventsOfEmail(ctx, email)).filter(({ name }) => name === 'email.open' || name === 'email.click')
  return Math.max(0, email.opens + email.clicks - listed.length)
}
