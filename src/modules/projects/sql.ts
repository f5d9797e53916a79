import { statement } from '../../kit/postgres/db.ts'
import { changedOf } from '../../kit/unchanged.ts'
import type { KeyKind } from './keys.ts'
import type { Project } from './shapes.ts'

const own = { allProjects: 'the table of projects itself' }

/** The columns of a new project. */
export type CreatedProject = Omit<Project, 'public' | 'secret' | 'webhookSecret' | 'role'>

/**
 * Creates a project with its keys ($4 to $6) and its owner ($7, null for none). Hand-written, as it runs in the transaction
 * that counts the projects of the owner.
 */
export const insertProject = statement<CreatedProject>(
  'projects_insert_project',
  `with made as (
     insert into projects (id, name, created_at, updated_at) values ($1, $2, $3::timestamptz, $3::timestamptz) returning *
   ), keys as (
     insert into project_keys (project_id, kind, hash, sealed, created_at)
     select $1, k.kind::key_kind, k.hash, k.sealed, $3::timestamptz from unnest($4::text[], $5::text[], $6::text[]) as k(kind, hash, sealed)
   ), owner as (
     insert into memberships (project_id, user_id, role, created_at) select $1, $7, 'OWNER', $3::timestamptz where $7::text is not null
   )
   select id, name, disabled, disabled_reason as "disabledReason", tracking::text as tracking, language, utm, created_at as "createdAt",
     updated_at as "updatedAt" from made`,
)

/** The number of projects that a user owns. */
export const countOwned = statement<{ count: number }>(
  'projects_count_owned',
  `select count(*)::int as count from memberships where user_id = $1 and role = 'OWNER'`,
  { allProjects: 'a person may own several projects' },
)

/** The projects that a person owns. */
export const selectOwned = statement<{ projectId: string }>(
  'projects_select_owned',
  `select m.project_id as "projectId" from memberships m where m.user_id = $1 and m.role = 'OWNER' order by m.project_id`,
  { allProjects: 'a person may own several projects' },
)

const settings = ['name', 'tracking', 'language', 'utm'] as const

/**
 * Changes the settings of a project; null leaves one as it is, and UTM parameters ($7) are changed where $6 says so. Returns which are
 * others now, and no row where none is. Hand-written, as it runs in one transaction with its line of the log.
 */
export const updateSettings = statement<{ fields: (typeof settings)[number][] }>(
  'projects_update_settings',
  `update projects set name = coalesce($2, name), tracking = coalesce($3::tracking, tracking), language = coalesce($4, language),
     utm = case when $6 then $7::jsonb else utm end, updated_at = $5
   where id = $1 and (coalesce($2, name), coalesce($3::tracking, tracking), coalesce($4, language), case when $6 then $7::jsonb else utm end)
     is distinct from (name, tracking, language, utm)
   returning ${changedOf(settings)} as fields`,
  own,
)

/**
 * Replaces both keys of a project. Hand-written: one statement locks the rows it changes, so that after two concurrent
 * rotations both keys are those of the same rotation, which a delete and an insert would not ensure.
 */
export const replaceKeys = statement<{ kind: string }>(
  'projects_replace_keys',
  `update project_keys k set hash = n.hash, sealed = n.sealed, created_at = $5::timestamptz
   from unnest($2::text[], $3::text[], $4::text[]) as n(kind, hash, sealed)
   where k.project_id = $1 and k.kind = n.kind::key_kind
   returning k.kind::text as kind`,
)

/** The keys of a project as they are stored. */
export const selectKeys = statement<{ kind: KeyKind; sealed: string }>(
  'projects_select_keys',
  'select kind::text as kind, sealed from project_keys where project_id = $1',
)

/** What decides whether a project may be reset or deleted. */
export interface Erasable {
  name: string
  disabled: boolean
  erasing: boolean
}

/** Locks a project for a reset or deletion; emails that are being accepted do not wait for the lock. */
export const lockToErase = statement<Erasable>(
  'projects_lock_to_erase',
  'select name, disabled, erasing_at is not null as erasing from projects where id = $1 for no key update',
  own,
)

/** Closes a project to changes, or opens it again with null. */
export const setErasing = statement<object>('projects_set_erasing', 'update projects set erasing_at = $2 where id = $1', own)

/** Removes the keys, the secret of webhooks, the invitations and the memberships of a project. */
export const removeAccess = statement<{ userId: string }>(
  'projects_remove_access',
  `with keys as (delete from project_keys where project_id = $1),
   secret as (delete from project_webhook_secrets where project_id = $1),
   invited as (delete from invitations where project_id = $1)
   delete from memberships where project_id = $1 returning user_id as "userId"`,
)

/** Removes the row of a project. */
export const deleteProjectRow = statement<object>('projects_delete_project_row', 'delete from projects where id = $1', own)

/** Locks a project for a suspension. Not `for update`: emails that are being accepted only need the row to exist. */
export const lockToSuspend = statement<{ disabled: boolean; reason: string | null }>(
  'projects_lock_to_suspend',
  'select disabled, disabled_reason as reason from projects where id = $1 for no key update',
  own,
)

/** Disables a project for a reason ($2), or enables it with null. */
export const setDisabled = statement<object>(
  'projects_set_disabled',
  'update projects set disabled = $2::text is not null, disabled_reason = $2, updated_at = $3 where id = $1',
  own,
)

/** The facts about the setup of each of some projects; contacts are counted up to $2. One statement for all of them. */
export const readSetup = statement<{
  projectId: string
  hasSubscription: boolean
  hasVerifiedDomain: boolean
  contactCount: number
  lastCampaignSentAt: Date | null
  hasEnabledWorkflow: boolean
}>(
  'projects_read_setup',
  `select p.project_id as "projectId",
     exists (select from billing_accounts b where b.project_id = p.project_id and b.subscription is not null) as "hasSubscription",
     exists (select from domains d where d.project_id = p.project_id and d.status = 'VERIFIED') as "hasVerifiedDomain",
     (select count(*)::int from (select from contacts c where c.project_id = p.project_id and c.deleted_at is null limit $2) c) as "contactCount",
     (select max(k.sent_at) from campaigns k where k.project_id = p.project_id and k.deleted_at is null) as "lastCampaignSentAt",
     exists (select from workflows w where w.project_id = p.project_id and w.enabled) as "hasEnabledWorkflow"
   from unnest($1::text[]) as p(project_id)`,
)

/** What signs the webhooks of a project, encrypted. */
export interface WebhookSecretRow {
  projectId: string
  sealed: string
  /** Those before it, newest first, and when each ends. */
  earlier: { sealed: string; until: string }[]
}

/** A project that has no such secret yet. */
export interface NoSecretRow {
  projectId: string
  sealed: null
}

/** Gives each of some projects ($1) that has no secret for webhooks one ($2). */
export const insertWebhookSecrets = statement<object>(
  'projects_insert_webhook_secrets',
  `insert into project_webhook_secrets (project_id, sealed, created_at)
   select n.project_id, n.sealed, $3 from unnest($1::text[], $2::text[]) as n(project_id, sealed) join projects p on p.id = n.project_id
   on conflict (project_id) do nothing`,
)

const withSecrets = `select p.id as "projectId", w.sealed, w.earlier from projects p left join project_webhook_secrets w on w.project_id = p.id
   where p.id = any($1::text[])`

/** What signs the webhooks of some projects; null for those that have nothing yet. */
export const selectWebhookSecrets = statement<WebhookSecretRow | NoSecretRow>('projects_select_webhook_secrets', withSecrets, own)

/**
 * Those of what signs the webhooks of some projects ($1) that a caller may know by now: who calls with a key, by its hash ($2), or a person
 * ($4) in a session ($3; empty for a call that only now begins one) who is an admin or owner there. Asked together, so that whoever
 * waits for the moment in which keys and secrets are replaced is not given the new ones.
 */
export const selectKnownSecrets = statement<WebhookSecretRow | NoSecretRow>(
  'projects_select_known_secrets',
  `${withSecrets}
     and ($2::text is null or exists (select from project_keys k where k.project_id = p.id and k.hash = $2))
     and ($3::text is null or exists (
       select from memberships m where m.project_id = p.id and m.user_id = $4 and m.role in ('OWNER', 'ADMIN')
         and ($3 = '' or exists (select from sessions s where s.id = $3 and s.user_id = $4))))`,
  own,
)

/** What signs the webhooks of a project, locked until the transaction ends, so that of two rotations each keeps the secret before it. */
export const lockWebhookSecret = statement<WebhookSecretRow>(
  'projects_lock_webhook_secret',
  'select project_id as "projectId", sealed, earlier from project_webhook_secrets where project_id = $1 for update',
)

/** Replaces what signs the webhooks of a project ($2), and what signs beside it ($3). */
export const replaceWebhookSecret = statement<object>(
  'projects_replace_webhook_secret',
  'update project_webhook_secrets set sealed = $2, earlier = $3, created_at = $4 where project_id = $1',
)

/** A row when a project is being reset or deleted, or when that began at $2 or later. Hand-written: it is asked at the end of each export. */
export const findEmptied = statement<object>(
  'projects_find_emptied',
  'select 1 from resets where project_id = $1 and (finished_at is null or started_at >= $2)',
)
