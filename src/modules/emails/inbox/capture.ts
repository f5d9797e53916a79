import { batch } from '../../../kit/batch.ts'
import { newId } from '../../../kit/ids.ts'
import type { Handover, Parcel } from '../../../kit/mailer.ts'
import { statement } from '../../../kit/postgres/db.ts'
import { perWorld, type World } from '../../../kit/world.ts'

/** A mail to be kept instead of sent. */
export interface CapturedParcel extends Parcel {
  projectId: string
  emailId: string
  subject: string
}

/** Keeps a mail in Postgres as it would have gone over the wire, for /mailbox. */
export async function captureMail(world: World, parcel: CapturedParcel): Promise<Handover> {
  await laneOf(world)(parcel)
  return { kind: 'accepted', response: 'Kept in the mailbox' }
}

const mostKept = 50
const laneOf = perWorld((world) => batch((parcels: CapturedParcel[]) => keepAll(world, parcels), mostKept))

// A mail that is sent again after a crash is kept again, as a mail server would.
const insertCaptured = statement<object>(
  'emails_capture',
  `insert into captured_mails (id, project_id, email_id, "from", "to", subject, raw, created_at)
   select i.id, i.project_id, i.email_id, i.sender, string_to_array(i.recipients, ','), i.subject, i.raw, $8
   from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bytea[])
     as i(id, project_id, email_id, sender, recipients, subject, raw)`,
)

async function keepAll({ db, clock }: World, parcels: CapturedParcel[]): Promise<undefined[]> {
  const now = clock.now()
  await db.run(insertCaptured, [
    parcels.map(() => newId('mail', now)),
    parcels.map(({ projectId }) => projectId),
    parcels.map(({ emailId }) => emailId),
    parcels.map(({ from }) => from),
    parcels.map(({ to }) => to.join(',')),
    parcels.map(({ subject }) => subject),
    parcels.map(({ raw }) => raw),
    now,
  ])
  return parcels.map(() => undefined)
}
