import { type BodyRow, readBodies, type WithBody } from '../../../kit/bodies.ts'
import type { Ctx } from '../../../kit/context.ts'
import type { Statement } from '../../../kit/postgres/db.ts'
import type { ContentMode } from '../shapes.ts'
import type { VisualDocument } from './shapes.ts'

/** The body of a template or campaign, and the document that it was made of. */
export interface WrittenBody {
  body: string
  mode: ContentMode
  document: VisualDocument | null
}

/**
 * A row with its body and the document that this was made of, read in one statement, since they change together; undefined when there is
 * none.
 */
export async function readWritten<Row extends BodyRow>(
  ctx: Pick<Ctx, 'db' | 'projectId' | 'takeRoom'>,
  { id, select }: { id: string; select: Statement<Row> },
): Promise<(WithBody<Row> & WrittenBody) | undefined> {
  const row = (await readBodies(ctx, [id], { select })).get(id)
  if (!row) return undefined
  const { body, document } = partsOf(row.body)
  // Only documents that were checked are stored.
  return { ...row, body, document: document === null ? null : JSON.parse(document), mode: document ? 'VISUAL' : 'HTML' }
}

/** The body that a statement with `bodiesWithDocuments` has read, and its document as JSON. */
export function partsOf(written: string): { body: string; document: string | null } {
  return JSON.parse(written)
}
