import { type BodyRow, bodiesSql, bodiesWithDocuments, documents } from '../../kit/bodies.ts'
import type { Count } from '../../kit/counts.ts'
import { statement } from '../../kit/postgres/db.ts'
import { eraser } from '../../kit/postgres/erase.ts'
import { changedAt } from '../../kit/unchanged.ts'
import { hasExecutions } from '../filters/sql.ts'
import type { EditedTemplate, StoredTemplate, TemplateUsage } from './shapes.ts'

// Each may be megabytes long.
const templatesPerBatch = 500

/** Removes one batch of a project's templates; returns how many, 0 when none is left. */
export const eraseSomeTemplates = eraser('templates', 'id', templatesPerBatch)

/**
 * How many emails were sent with each of some templates ($2). A campaign may have millions: they are
 * not counted again, but taken from its counts as long as it exists.
 */
export const countSentOfTemplates = statement<Count>(
  'templates_count_sent_of_templates',
  `select q.id, (select coalesce(sum((
         select count(*) from emails e where e.project_id = c.project_id and e.content_id = c.id and e.sent_at is not null)), 0)::int
     from email_contents c where c.project_id = $1 and c.template_id = q.id and (
       select true from campaigns k where k.project_id = c.project_id and k.template_id = q.id and k.content_id = c.id limit 1) is null)
     + (select coalesce(sum(n.sent), 0)::int from campaigns k join campaign_counts n on n.project_id = k.project_id and n.campaign_id = k.id
       where k.project_id = $1 and k.template_id = q.id) as count
   from unnest($2::text[]) as q(id)`,
)

const maxStepsShown = 1_000

/** The newest 1,000 steps of workflows that send a template ($2). */
export const selectStepsWith = statement<TemplateUsage['workflowSteps'][number]>(
  'templates_select_steps_with',
  `select s.id, s.name, w.id as "workflowId", w.name as "workflowName"
   from workflow_steps s join workflows w on w.project_id = s.project_id and w.id = s.workflow_id
   where s.project_id = $1 and s.template_id = $2 order by s.id desc limit ${maxStepsShown}`,
)

/**
 * A workflow with a version that sends a template ($2) and is in use: the one that executions start on, or one that some are on. Its
 * steps as they are edited may have changed since.
 */
export const findWorkflowSending = statement<{ name: string }>(
  'templates_find_workflow_sending',
  `select w.name from workflow_versions v join workflows w on w.project_id = v.project_id and w.id = v.workflow_id
   where v.project_id = $1 and v.graph @> jsonb_build_object('steps', jsonb_build_array(jsonb_build_object('templateId', $2::text)))
     and (w.enabled and v.version = w.version or ${hasExecutions('v')}) limit 1`,
)

const columnsBesideBody = `id, name, description, subject, preview_text as "previewText", mode::text as mode, "from", from_name as "fromName",
  reply_to as "replyTo", type::text as type, created_at as "createdAt", updated_at as "updatedAt"`

/**
 * Some templates ($2, their ids) with their bodies, in their order, with their sizes in bytes; null when they have more than $3 bytes
 * together.
 */
export const selectBodies = statement<StoredTemplate & BodyRow>(
  'templates_select_bodies',
  bodiesSql({ table: 'templates', columns: columnsBesideBody, body: 't.body' }),
)

/** Some templates ($2, their ids) with their bodies and documents as JSON text, like selectBodies. */
export const selectWritten = statement<StoredTemplate & BodyRow>(
  'templates_select_written',
  bodiesSql({ table: 'templates', columns: columnsBesideBody, ...bodiesWithDocuments }),
)

/** A campaign whose content was copied from a template, the `ord`th that was asked for, from 1. */
export interface CampaignOfTemplate {
  ord: number
  id: string
  name: string
}

/** The newest 500 campaigns of some templates ($1 projects, $2 ids, in pairs). */
export const selectCampaignsOfTemplates = statement<CampaignOfTemplate>(
  'templates_select_campaigns_of_templates',
  `select q.ord::int as ord, k.id, k.name from unnest($1::text[], $2::text[]) with ordinality q(project_id, id, ord)
   cross join lateral (
     select c.id, c.name from campaigns c where c.project_id = q.project_id and c.template_id = q.id and c.deleted_at is null
     order by c.id desc limit 500) k
   order by q.ord, k.id desc`,
)

/** Locks a template ($2) until the transaction ends; no row when there is none. */
export const lockTemplate = statement<object>(
  'templates_lock_template',
  'select 1 from templates t where t.project_id = $1 and t.id = $2 for update',
)

/**
 * Detaches the campaigns of a template ($2), which have their own copy of its content. It writes a table of another module, an exception
 * that test/owners.test.ts lists.
 */
export const detachCampaigns = statement<object>(
  'templates_detach_campaigns',
  'update campaigns set template_id = null where project_id = $1 and template_id = $2',
)

/** Removes a template ($2). */
export const removeTemplate = statement<object>('templates_remove_template', 'delete from templates where project_id = $1 and id = $2')

const columns = `${columnsBesideBody}, body`

/**
 * Adds a template: $2 its id, then name, description, subject, preview text, body, document (null for HTML), sender, its name, address
 * for replies and type, $13 now. Hand-written for the transaction with its first version.
 */
export const insertTemplate = statement<EditedTemplate>(
  'templates_insert_template',
  `insert into templates (project_id, id, name, description, subject, preview_text, body, document, mode, "from", from_name, reply_to, type,
     created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, case when $8::jsonb is null then 'HTML' else 'VISUAL' end::template_mode, $9, $10, $11,
     $12::mail_type, $13, $13)
   returning ${columns}`,
)

/** Locks a template ($2) until the transaction ends: it without its body; no row when there is none. */
export const lockToChange = statement<StoredTemplate & { sameBody: boolean }>(
  'templates_lock_to_change',
  `select ${columnsBesideBody}, body = $3 as "sameBody"
   from templates t where t.project_id = $1 and t.id = $2 for update`,
)

/**
 * Changes a template ($2), which is locked: name, description, subject, preview text, body (null: it stays), document (of its body: null
 * for HTML; it stays with $14), sender, its name, address for replies and type, $13 now.
 */
export const changeTemplate = statement<EditedTemplate>(
  'templates_change_template',
  `update templates set name = $3, description = $4, subject = $5, preview_text = $6, body = coalesce($7, body),
     document = case when $14 then document else $8::jsonb end,
     mode = case when $14 then mode when $8::jsonb is null then 'HTML' else 'VISUAL' end::template_mode,
     "from" = $9, from_name = $10, reply_to = $11, type = $12::mail_type, updated_at = ${changedAt('$13', 'templates')}
   where project_id = $1 and id = $2 returning ${columns}`,
)

/** The documents of some templates ($2, their ids) that have one, as JSON text, like selectBodies. */
export const selectDocuments = statement<StoredTemplate & BodyRow>(
  'templates_select_documents',
  bodiesSql({ table: 'templates', columns: columnsBesideBody, ...documents }),
)
