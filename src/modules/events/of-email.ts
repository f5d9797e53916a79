import { batch } from '../../kit/batch.ts'
import type { Ctx } from '../../kit/context.ts'
import { lowestId } from '../../kit/ids.ts'
import { perWorld } from '../../kit/world.ts'
import { type EmailEvent, linesOfEmails } from './sql.ts'

interface Asked {
  projectId: string
  contactId: string
  emailId: string
  from: string
}

const maxAtOnce = 500
// The log of a mail begins when it is accepted; processes may differ a little about when that was.
const slackMs = 60_000

const loaderOf = perWorld(({ db }) =>
  batch(async (asked: Asked[]) => {
    const column = (field: keyof Asked) => asked.map((one) => one[field])
    const rows = await db.run(linesOfEmails, [column('projectId'), column('contactId'), column('emailId'), column('from')])
    const lines: EmailEvent[][] = asked.map(() => [])
    for (const { ord, ...line } of rows) lines[ord - 1]?.push(line)
    return lines
  }, maxAtOnce),
)

/** What happened to a mail, oldest first, at most 100 lines; many asked at once are read in one statement. */
export async function listEventsOfEmail(
  { world, projectId }: Pick<Ctx, 'world' | 'projectId'>,
  { id, contactId, createdAt }: { id: string; contactId: string; createdAt: Date },
): Promise<EmailEvent[]> {
  return loaderOf(world)({ projectId, contactId, emailId: id, from: lowestId('event', new Date(createdAt.getTime() - slackMs)) })
}
