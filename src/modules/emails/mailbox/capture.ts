import { batch } from '../../../kit/batch.ts'
import { newId } from '../../../kit/ids.ts'
import type { Handover } from '../../../kit/mailer.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import type { RenderedEmail } from '../message/content.ts'
import { insertCapturedEmails, insertCapturedTests } from './sql.ts'

/** Stores an email in Postgres for /mailbox, with the octets that would have been sent. */
export async function captureEmail(world: World, email: RenderedEmail): Promise<Handover> {
  await captureInBatch(world)(email)
  return { kind: 'accepted', response: 'Stored in the mailbox' }
}

const maxCaptured = 50
const captureInBatch = perWorld((world) => batch((emails: RenderedEmail[]) => captureAll(world, emails), maxCaptured))

async function captureAll(world: World, emails: RenderedEmail[]): Promise<undefined[]> {
  const { stored = [], tests = [] } = Object.groupBy(emails, ({ emailId }) => (emailId === null ? 'tests' : 'stored'))
  if (stored.length > 0) await store(world, insertCapturedEmails, stored)
  if (tests.length > 0) await store(world, insertCapturedTests, tests)
  return emails.map(() => undefined)
}

async function store({ db, clock }: World, insert: typeof insertCapturedEmails, emails: RenderedEmail[]): Promise<void> {
  const now = clock.now()
  await db.run(insert, [
    emails.map(() => newId('capturedMail', now)),
    emails.map(({ projectId }) => projectId),
    emails.map(({ emailId }) => emailId),
    emails.map(({ from }) => from),
    emails.map(({ to }) => to.join(',')),
    emails.map(({ subject }) => subject),
    emails.map(({ pieces }) => Buffer.concat(pieces)),
    now,
  ])
}
