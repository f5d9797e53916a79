import type { GraphQLResolveInfo } from 'graphql'
import { type BodyRow, readFirstBodies } from '../../../kit/bodies.ts'
import { JsonText } from '../../../kit/json-text.ts'
import { loaderPerCall, type ReadingAlone } from '../../../kit/load.ts'
import type { Connection } from '../../../kit/paging.ts'
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
  /** Reads rows with their documents, those that have one. */
  documents: Statement<Row>
  /** Reads rows with their bodies and documents, as `bodiesWithDocuments` has them. */
  written: Statement<Row>
}

/** Templates or campaigns for GraphQL with what is asked for of their bodies and documents. */
interface Wholes<Row extends BodyRow> {
  /** One of them; null where there is none, and when neither is asked for, or only a body that is given. */
  find(ctx: ReadingAlone, one: { id: string; body?: string | null }, info: GraphQLResolveInfo): Promise<Whole<Row> | null>
  /** Those of a page that has been read. */
  inPage<Node extends { id: string }>(ctx: ReadingAlone, page: Connection<Node>, info: GraphQLResolveInfo): Promise<Connection<Node>>
}

/**
 * Reads templates or campaigns in one statement with their bodies and documents, so that these belong to their subjects; those of a call
 * are read together, within the bounds of readFirstBodies.
 */
export function readingWholes<Row extends BodyRow>({ bodies, documents, written }: Selects<Row>): Wholes<Row> {
  const loadBody = loaderPerCall((ctx, ids) => readFirstBodies(ctx, ids, { select: bodies }))
  const loadWritten = loaderPerCall((ctx, ids) => readFirstBodies(ctx, ids, { select: written }))
  const loadDocument = loaderPerCall((ctx, ids) => readFirstBodies(ctx, ids, { select: documents }))
  const readBoth = async (ctx: ReadingAlone, one: { id: string }) => withDocument(await loadWritten(ctx, one))
  const readDocument = async (ctx: ReadingAlone, one: { id: string }) => asDocument(await loadDocument(ctx, one))
  return {
    async find(ctx, { id, body }, info) {
      if (isSelected(info, 'document')) return readBoth(ctx, { id })
      return body === undefined && isSelected(info, 'body') ? loadBody(ctx, { id }) : null
    },
    async inPage(ctx, page, info) {
      const asks = (field: string): boolean => isSelected(info, 'nodes', field) || isSelected(info, 'edges', 'node', field)
      const [body, document] = [asks('body'), asks('document')]
      if (!body && !document) return page
      const read = body ? (document ? readBoth : loadBody) : readDocument
      const wholes = await Promise.all(page.edges.map(({ node }) => read(ctx, { id: node.id })))
      // One without a document, or that was deleted meanwhile, stays as it was.
      return { ...page, edges: page.edges.map(({ cursor, node }, at) => ({ cursor, node: { ...node, ...wholes[at] } })) }
    },
  }
}

function asDocument<Row extends BodyRow>(row: Row | null): Omit<Whole<Row>, 'body'> | null {
  if (!row) return null
  const { body, ...beside } = row
  return { ...beside, document: body === null ? null : new JsonText(body) }
}

function withDocument<Row extends BodyRow>(row: Row | null): Whole<Row> | null {
  if (!row || row.body === null) return row && { ...row, document: null }
  const { body, document } = partsOf(row.body)
  return { ...row, body, document: document === null ? null : new JsonText(document) }
}
