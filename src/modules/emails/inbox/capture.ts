import { batch } from '../../../kit/batch.ts'
import { newId } from '../../../kit/ids.ts'
import type { Handover, SmtpMessage } from '../../../kit/mailer.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { insertCaptured } from './sql.ts'

/** A mail to be kept instead of sent. */
export interface CapturedParcel extends SmtpMessage {
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

async function keepAll({ db, clock }: World, parcels: CapturedParcel[]): Promise<undefined[]> {
  const now = clock.now()
  await db.run(insertCaptured, [
    parcels.map(() => newId('capturedMail', now)),
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
