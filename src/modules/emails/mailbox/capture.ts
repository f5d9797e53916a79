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
const maxBytes = 4 * 1024 * 1024
const captureInBatch = perWorld((world) =>
  batch(async (emails: RenderedEmail[]) => {
    for (const some of withinBytes(emails)) await captureAll(world, some)
    return emails.map(() => undefined)
  }, maxCaptured),
)

// Their octets are text in hexadecimal on their way to Postgres: one text has no more than 512 MB, and making it stops this thread.
function* withinBytes(emails: RenderedEmail[]): Generator<RenderedEmail[]> {
  let some: RenderedEmail[] = []
  let bytes = 0
  for (const email of emails) {
    const size = email.pieces.reduce((sum, piece) => sum + piece.length, 0)
    if (some.length > 0 && bytes + size > maxBytes) {
      yield some
      some = []
      bytes = 0
    }
    some.push(email)
    bytes += size
  }
  yield some
}

async function captureAll(world: World, emails: RenderedEmail[]): Promise<void> {
  const { stored = [], tests = [] } = Object.groupBy(emails, ({ emailId }) => (emailId === null ? 'tests' : 'stored'))
  if (stored.length > 0) await store(world, insertCapturedEmails, stored)
  if (tests.length > 0) await store(world, insertCapturedTests, tests)
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
