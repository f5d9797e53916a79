import { bodyLoader } from '../../../kit/bodies.ts'
import type { Ctx } from '../../../kit/context.ts'
import { notFound } from '../../../kit/errors.ts'
import { JsonText } from '../../../kit/json-text.ts'
import { loader, type Reading, type ReadingAlone } from '../../../kit/load.ts'
import { type IfUnchanged, requireUnchanged } from '../../../kit/unchanged.ts'
import type { StoredTemplate } from '../shapes.ts'
import { lockToChange } from '../sql.ts'
import { getStoredTemplate } from '../templates.ts'
import { saveVersion } from './keep.ts'
import type { ByTemplateVersion } from './shapes.ts'
import {
  keepFirstVersion,
  restoreContent,
  selectNamedVersions,
  selectVersionBodies,
  selectVersionDocuments,
  selectVersions,
  type VersionRow,
} from './sql.ts'

const loadVersions = loader<{ id: string; versions: VersionRow[] }>(async ({ db, projectId }, ids) => {
  const rows = Map.groupBy(await db.run(selectVersions, [projectId, ids]), ({ templateId }) => templateId)
  return [...rows].map(([id, versions]) => ({ id, versions }))
})

/**
 * What a template said when it was saved, the newest first, without bodies: at most 20. Empty for one that was last saved by an earlier
 * release. Concurrent calls are one statement.
 */
export async function listTemplateVersions(ctx: Reading, { id }: { id: string }): Promise<VersionRow[]> {
  return (await loadVersions(ctx, { id }, {}))?.versions ?? []
}

const loadNamedVersion = loader(({ db, projectId }, ids) => db.run(selectNamedVersions, [projectId, ids]))

/**
 * One version of a template, without its body. Fails with RESOURCE_NOT_FOUND, also for one that is not kept any more. Concurrent calls
 * are one statement.
 */
export async function getTemplateVersion(ctx: Reading, { id, no }: ByTemplateVersion): Promise<VersionRow> {
  const version = await loadNamedVersion(ctx, { id: keyOf({ templateId: id, no }) }, {})
  if (!version) throw notFound()
  return version
}

const keyOf = ({ templateId, no }: Pick<VersionRow, 'templateId' | 'no'>): string => `${templateId} ${no}`

const loadBody = bodyLoader({ select: selectVersionBodies })
const loadDocument = bodyLoader({ select: selectVersionDocuments })

/** The body of a version: of those that a call asks for at once the first 4 MB, PAYLOAD_TOO_LARGE for the others. Fails with RESOURCE_NOT_FOUND. */
export async function getVersionBody(ctx: ReadingAlone, version: VersionRow): Promise<string> {
  const body = await loadBody(ctx, { id: keyOf(version) })
  if (body === null) throw notFound()
  return body
}

/** The document of a version, null for one of HTML; within the same bound as bodies. */
export async function getVersionDocument(ctx: ReadingAlone, version: VersionRow): Promise<JsonText | null> {
  if (version.mode === 'HTML') return null
  const text = await loadDocument(ctx, { id: keyOf(version) })
  return text === null ? null : new JsonText(text)
}

/**
 * Makes a template say again what one of its versions says: subject, preview text, and body with its document, so that an HTML template
 * can be visual again. It is saved as a new version. Fails with TEMPLATE_NOT_FOUND, with RESOURCE_NOT_FOUND for a version that does not
 * exist or is not kept any more, and with CONFLICT when the template has changed since `ifUpdatedAt`.
 */
export async function restoreTemplateVersion(ctx: Ctx, { id, no, ifUpdatedAt }: ByTemplateVersion & IfUnchanged): Promise<StoredTemplate> {
  const { db, clock, projectId } = ctx
  await db.transaction(async (tx) => {
    const [locked] = await tx.run(lockToChange, [projectId, id, null])
    if (!locked) throw notFound('TEMPLATE_NOT_FOUND')
    requireUnchanged(locked, { ifUpdatedAt })
    await tx.run(keepFirstVersion, [projectId, id])
    if ((await tx.run(restoreContent, [projectId, id, no, clock.now()])).length === 0) throw notFound()
    await saveVersion(ctx, tx, { id })
  })
  return getStoredTemplate(ctx, { id })
}
