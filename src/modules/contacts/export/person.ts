import { setImmediate as otherWork } from 'node:timers/promises'
import type { Ctx } from '../../../kit/context.ts'
import type { Download } from '../../../kit/download.ts'
import { inPlace } from '../../../kit/export-places.ts'
import type { Statement } from '../../../kit/postgres/db.ts'
import { sliceOf } from '../../../kit/postgres/list.ts'
import { getContact } from '../contacts.ts'
import type { Contact } from '../shapes.ts'
import { selectEmailsAfter, selectEventsAfter, selectFlipsAfter, selectSuppression } from './sql.ts'

/**
 * Everything that is stored about one contact as JSON: data, subscription with its history, events, and emails without their
 * text. Lists are read in short batches, as fast as the caller takes them. Fails with CONTACT_NOT_FOUND; reading it fails with
 * RATE_LIMIT_EXCEEDED while 4 exports of the project run.
 */
export async function exportContact(ctx: Ctx, { id }: { id: string }): Promise<Download> {
  const contact = await getContact(ctx, { id })
  return { filename: `${contact.id}.json`, pieces: inPlace(ctx, () => piecesOf(ctx, contact)) }
}

type Call = Pick<Ctx, 'db' | 'clock' | 'projectId'>

const pieceLength = 64 * 1024

async function* piecesOf(ctx: Call, contact: Contact): AsyncGenerator<string, void> {
  const { id, email, subscribed, data, createdAt, updatedAt } = contact
  const [suppression = null] = await ctx.db.run(selectSuppression, [ctx.projectId, email])
  const head = { exportedAt: ctx.clock.now(), contact: { id, email, subscribed, data, createdAt, updatedAt }, suppression }
  yield JSON.stringify(head).slice(0, -1)
  yield ',"subscriptions":['
  yield* itemsOf(ctx, selectFlipsAfter, id)
  yield '],"events":['
  yield* itemsOf(ctx, selectEventsAfter, id)
  yield '],"emails":['
  yield* itemsOf(ctx, selectEmailsAfter, id)
  yield ']}\n'
}

// Batches may have megabytes: exports of a project read them in turns, and others are answered between their pieces.
async function* itemsOf<Row extends { id: string }>({ db, projectId }: Call, batch: Statement<Row>, contactId: string) {
  for (let after = ''; ; ) {
    const rows = await db.large.run(batch, [projectId, contactId, after])
    if (rows.length === 0) return
    let piece = ''
    for (const row of sliceOf(rows).rows) {
      piece += `${after === '' ? '' : ','}${JSON.stringify(row)}`
      after = row.id
      if (piece.length < pieceLength) continue
      yield piece
      piece = ''
      await otherWork()
    }
    if (piece !== '') yield piece
  }
}
