import { type BodyRow, readBodies } from '../../../kit/bodies.ts'
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

/** The body of a row with the document that it was made of, read in one statement, since both change together; undefined when there is none. */
export async function readWritten(
  ctx: Pick<Ctx, 'db' | 'projectId' | 'takeRoom'>,
  { id, select }: { id: string; select: Statement<BodyRow> },
): Promise<WrittenBody | undefined> {
  const text = (await readBodies(ctx, [id], { select })).get(id)
  if (text === undefined) return undefined
  // Only documents that were checked are stored.
  const { body, document } = JSON.parse(text) as Omit<WrittenBody, 'mode'>
  return { body, document, mode: document ? 'VISUAL' : 'HTML' }
}
