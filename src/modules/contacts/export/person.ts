import type { Ctx } from '../../../kit/context.ts'
import type { Download } from '../../../kit/download.ts'
import { Failure } from '../../../kit/errors.ts'
import { inPieces } from '../../../kit/exports.ts'
import type { Statement } from '../../../kit/postgres/db.ts'
import { sliceOf } from '../../../kit/postgres/list.ts'
import { exportOf } from '../../projects/exports.ts'
import { findContact, getContact } from '../contacts.ts'
import type { Contact } from '../shapes.ts'
import { selectEmailsAfter, selectEventsAfter, selectFlipsAfter, selectNewestOf, selectSuppression } from './sql.ts'

/**
 * What is stored about one contact as JSON: data, the suppression of its address, its subscription with the history, events, and emails
 * without their text. Lists are read in short batches, as fast as the caller takes them, up to what was the newest at the begin. Fails
 * with CONTACT_NOT_FOUND; reading it fails as `exportOf` does, and before its end where the contact was deleted meanwhile: what belonged
 * to it was removed before it was read.
 */
export async function exportContact(ctx: Ctx, { id }: { id: string }): Promise<Download> {
  const contact = await getContact(ctx, { id })
  return exportOf(ctx, `${contact.id}.json`, () => piecesOf(ctx, contact))
}

const deletedMeanwhile = 'The contact was deleted while this file was made, which therefore ends too early.'

async function* piecesOf(ctx: Ctx, contact: Contact): AsyncGenerator<string, void> {
  const { id, email } = contact
  const [newest = { event: '', email: '' }] = await ctx.db.run(selectNewestOf, [ctx.projectId, id])
  const [suppression = null] = await ctx.db.run(selectSuppression, [ctx.projectId, email])
  const head = { exportedAt: ctx.clock.now(), contact, suppression }
  yield JSON.stringify(head).slice(0, -1)
  yield ',"subscriptions":['
  yield* itemsOf(ctx, selectFlipsAfter, { id, upTo: newest.event })
  yield '],"events":['
  yield* itemsOf(ctx, selectEventsAfter, { id, upTo: newest.event })
  yield '],"emails":['
  yield* itemsOf(ctx, selectEmailsAfter, { id, upTo: newest.email })
  if (!(await findContact(ctx, { id }, { select: { id: true } }))) throw new Failure('CONTACT_NOT_FOUND', deletedMeanwhile)
  yield ']}\n'
}

async function* itemsOf<Row extends { id: string }>(
  ctx: Ctx,
  batch: Statement<Row>,
  { id, upTo }: { id: string; upTo: string },
): AsyncGenerator<string, void> {
  for (let after = ''; ; ) {
    const { rows } = sliceOf(await ctx.db.large.run(batch, [ctx.projectId, id, after, upTo]))
    if (rows.length === 0) return
    let separator = after === '' ? '' : ','
    yield* inPieces(ctx, rows, (row) => {
      const text = `${separator}${JSON.stringify(row)}`
      separator = ','
      return text
    })
    after = rows.at(-1)?.id ?? ''
  }
}
