import { type BodyRow, bodiesOf } from '../../../kit/bodies.ts'
import { statement } from '../../../kit/postgres/db.ts'
import { eraser } from '../../../kit/postgres/erase.ts'
import { changedAt } from '../../../kit/unchanged.ts'
import type { ChangeActor } from '../../projects/changes.ts'

// Each may be megabytes long.
const versionsPerBatch = 100

/** Removes one batch of the versions of a project's templates; returns how many, 0 when none is left. */
export const eraseSomeTemplateVersions = eraser('template_versions', 'template_id', versionsPerBatch)

const maxVersions = 20
const maxVersionsBytes = 10 * 1024 * 1024

const content = 'subject, preview_text, body, document'

/**
 * Keeps what a template ($2) says, if that is another than its newest version says, saved by $3 at $4, and removes its versions beyond
 * the newest 20, or 10 MB of them; the one before the newest always stays. One statement, so that there are never more. Run it in the
 * transaction that has changed the template, whose lock gives the numbers.
 */
export const keepVersion = statement<{ no: number }>(
  'templates_keep_version',
  `with newest as (
     select no, ${content} from template_versions where project_id = $1 and template_id = $2 order by no desc limit 1),
   kept as (
     insert into template_versions (project_id, template_id, no, ${content}, bytes, actor, created_at)
     select $1, $2, coalesce(n.no, 0) + 1, t.subject, t.preview_text, t.body, t.document,
       octet_length(t.body) + coalesce(octet_length(t.document::text), 0), $3::jsonb, $4
     from templates t left join newest n on true
     where t.project_id = $1 and t.id = $2
       and (n.no is null or (t.subject, t.preview_text, t.body, t.document) is distinct from (n.subject, n.preview_text, n.body, n.document))
     returning no, bytes),
   older as (
     select v.no, row_number() over newer as place, sum(v.bytes) over newer + k.bytes as total
     from template_versions v cross join kept k where v.project_id = $1 and v.template_id = $2
     window newer as (order by v.no desc)),
   gone as (
     delete from template_versions v using older o where v.project_id = $1 and v.template_id = $2 and v.no = o.no
       and o.place > 1 and (o.place >= ${maxVersions} or o.total > ${maxVersionsBytes}))
   select no from kept`,
)

/**
 * Keeps what a template ($2) says as its first version when it has none, because an earlier release has saved it. Run it before the
 * template is changed.
 */
export const keepFirstVersion = statement<object>(
  'templates_keep_first_version',
  `insert into template_versions (project_id, template_id, no, ${content}, bytes, actor, created_at)
   select $1, t.id, 1, t.subject, t.preview_text, t.body, t.document,
     octet_length(t.body) + coalesce(octet_length(t.document::text), 0), null, t.updated_at
   from templates t where t.project_id = $1 and t.id = $2
     and not exists (select from template_versions v where v.project_id = $1 and v.template_id = $2)`,
)

/** A version of a template, without its body and document. */
export interface VersionRow {
  templateId: string
  no: number
  subject: string
  previewText: string | null
  mode: 'HTML' | 'VISUAL'
  bytes: number
  actor: ChangeActor | null
  /** The address of the person who saved it, if they still have an account. */
  email: string | null
  createdAt: Date
}

const versionColumns = `v.template_id as "templateId", v.no, v.subject, v.preview_text as "previewText",
  case when v.document is null then 'HTML' else 'VISUAL' end as mode, v.bytes, v.actor, u.email, v.created_at as "createdAt"`

/** The versions of some templates ($2, their ids), the newest of each first. */
export const selectVersions = statement<VersionRow>(
  'templates_select_versions',
  `select ${versionColumns} from template_versions v left join users u on u.id = v.actor->>'id'
   where v.project_id = $1 and v.template_id = any($2::text[]) order by v.template_id, v.no desc`,
)

const named = `unnest($2::text[]) q(id)
  join template_versions v on v.project_id = $1 and v.template_id = split_part(q.id, ' ', 1) and v.no = split_part(q.id, ' ', 2)::int`

/** Some versions ($2, template and number of each), by that. */
export const selectNamedVersions = statement<VersionRow & { id: string }>(
  'templates_select_named_versions',
  `select q.id, ${versionColumns} from ${named} left join users u on u.id = v.actor->>'id'`,
)

/** The bodies of some versions ($2, template and number of each): see bodiesOf. */
export const selectVersionBodies = statement<BodyRow>(
  'templates_select_version_bodies',
  bodiesOf(`select q.id, v.body as value, octet_length(v.body) as bytes from ${named}`),
)

// Stored with the version: to measure a document, Postgres would write it as JSON.
const documentBytes = 'v.bytes - octet_length(v.body)'

/** The documents of some versions that have one ($2, template and number of each), as JSON text: see bodiesOf. */
export const selectVersionDocuments = statement<BodyRow>(
  'templates_select_version_documents',
  bodiesOf(`select q.id, v.document as value, ${documentBytes} as bytes from ${named} where v.document is not null`),
)

/** Makes a template ($2) say again what a version ($3, its number) says, at $4. The template is locked. */
export const restoreContent = statement<object>(
  'templates_restore_content',
  `update templates t set subject = v.subject, preview_text = v.preview_text, body = v.body, document = v.document,
     mode = case when v.document is null then 'HTML' else 'VISUAL' end::template_mode, updated_at = ${changedAt('$4', 't')}
   from template_versions v
   where t.project_id = $1 and t.id = $2 and v.project_id = $1 and v.template_id = $2 and v.no = $3
   returning t.id`,
)
