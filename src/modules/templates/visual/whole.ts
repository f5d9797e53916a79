import type { GraphQLResolveInfo } from 'graphql'
import { type BodyRow, readFirstBodies } from '../../../kit/bodies.ts'
import { JsonText } from '../../../kit/json-text.ts'
import { loaderPerCall, type ReadingAlone } from '../../../kit/load.ts'
import type { Statement } from '../../../kit/postgres/db.ts'
import { isSelected } from '../../../kit/selected.ts'
import type { ContentMode } from '../shapes.ts'
import { partsOf } from './written.ts'

/** A row with its body, and with its document where that is asked for; null for those beyond what is read of a call. */
export type Whole<Row> = Row & { body: string | null; document?: JsonText | null }

/** Whose document is asked for; undefined where it was not read with it. */
export interface DocumentOf {
  id: string
  mode: ContentMode
  document?: JsonText | null
}

interface Selects<Row> {
  /** Reads rows with their bodies. */
  bodies: Statement<Row>
  /** Reads rows with their bodies and documents, as `bodiesWithDocuments` has them. */
  written: Statement<Row>
}

/**
 * Finds a template or campaign for GraphQL with what is asked for of its body and its document, in one statement, so that they belong to
 * its subject; those of a call are read together, within the bounds of readFirstBodies. Null where there is none, and when neither
 * is asked for, or only a body that is given.
 */
export function wholeFinder<Row extends BodyRow>({ bodies, written }: Selects<Row>) {
  const loadBody = loaderPerCall((ctx, ids) => readFirstBodies(ctx, ids, { select: bodies }))
  const loadWritten = loaderPerCall((ctx, ids) => readFirstBodies(ctx, ids, { select: written }))
  return async (
    ctx: ReadingAlone,
    { id, body }: { id: string; body?: string | null },
    info: GraphQLResolveInfo,
  ): Promise<Whole<Row> | null> => {
    if (isSelected(info, 'document')) return withDocument(await loadWritten(ctx, { id }))
    return body === undefined && isSelected(info, 'body') ? loadBody(ctx, { id }) : null
  }
}

function withDocument<Row extends BodyRow>(row: Row | null): Whole<Row> | null {
  if (!row || row.body === null) return row && { ...row, document: null }
  const { body, document } = partsOf(row.body)
  return { ...row, body, document: document === null ? null : new JsonText(document) }
}
