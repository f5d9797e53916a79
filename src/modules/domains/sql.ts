import { statement } from '../../kit/postgres/db.ts'
import { eraser } from '../../kit/postgres/erase.ts'
import { turnsOwnerOf } from '../projects/owner.ts'
import type { RecordSource } from './dns/records.ts'

/** Whether a project may send from a domain. Hand-written because every send runs it. */
export const findVerified = statement<{ verified: boolean }>(
  'domains_find_verified',
  `select true as verified from domains where project_id = $1 and domain = $2 and status = 'VERIFIED'`,
)

/** Locks a project while a domain is added to it. Hand-written for the lock: without it, parallel calls could exceed the limit. */
export const lockProjectDomains = statement<object>(
  'domains_lock_project_domains',
  'select 1 from projects p where p.id = $1 for no key update',
  {
    allProjects: 'a project is found by its own id',
  },
)

/**
 * The number of domains of a project, and whether one of them has a name. Hand-written, as it runs in the transaction of the
 * lock; a statement of its own, so that its snapshot is taken after the lock.
 */
export const countDomains = statement<{ count: number; included: boolean }>(
  'domains_count_domains',
  'select count(*)::int as count, coalesce(bool_or(domain = $2), false) as included from domains where project_id = $1',
)

/** Adds a domain. Hand-written, as it runs in the transaction of the lock. */
export const insertDomain = statement<object>(
  'domains_insert_domain',
  `insert into domains (project_id, id, domain, status, dkim_selector, dkim_public, dkim_sealed, checked_at, check_at, created_at, updated_at)
   values ($1, $2, $3, $4::domain_status, $5, $6, $7, $8::timestamptz, $9::timestamptz, $10::timestamptz, $10::timestamptz)`,
)

/** A campaign that is scheduled or being sent from an address that ends with $2; there may be none. */
export const findCampaignFrom = statement<{ name: string }>(
  'domains_find_campaign_from',
  `select k.name from campaigns k
   where k.project_id = $1 and k.status in ('SCHEDULED', 'SENDING') and k.deleted_at is null and right(k."from", length($2)) = $2 limit 1`,
)

/** How many templates send from a domain ($2, with its @). */
export const countTemplatesFrom = statement<{ count: number }>(
  'domains_count_templates_from',
  'select count(*)::int as count from templates t where t.project_id = $1 and right(t."from", length($2)) = $2',
)

/** Locks a domain ($2) that is to be deleted, so that nothing begins to send from it meanwhile. Hand-written for the lock. */
export const lockToDelete = statement<{ domain: string }>(
  'domains_lock_to_delete',
  'select domain from domains where project_id = $1 and id = $2 for update',
)

/** A row when a project may send from a domain ($2), which is locked against its deletion until the transaction ends. Hand-written for the lock. */
export const holdVerified = statement<object>(
  'domains_hold_verified',
  `select 1 from domains where project_id = $1 and domain = $2 and status = 'VERIFIED' for key share`,
)

/** A template or a campaign that sends from a domain. */
export interface DomainUser {
  projectId: string
  domain: string
  kind: 'template' | 'campaign'
  id: string
}

/**
 * What keeps some domains ($1 projects, $2 names, in pairs) from being deleted: templates that send from them, and campaigns that are
 * scheduled or being sent; at most 500 of each, newest first.
 */
export const findUsersOf = statement<DomainUser>(
  'domains_find_users_of',
  `with w as (select * from unnest($1::text[], $2::text[]) as w(project_id, domain)), users as (
     select w.project_id, w.domain, 'template' as kind, t.id
     from w join templates t on t.project_id = w.project_id and split_part(t."from", '@', 2) = w.domain
     union all
     select w.project_id, w.domain, 'campaign', k.id
     from w join campaigns k on k.project_id = w.project_id and k.status in ('SCHEDULED', 'SENDING') and k.deleted_at is null
       and split_part(k."from", '@', 2) = w.domain)
   select u.project_id as "projectId", u.domain, u.kind, u.id
   from (select *, row_number() over (partition by project_id, domain, kind order by id desc) as nth from users) u
   where u.nth <= 500 order by u.id desc`,
)

/** Removes a domain that is locked. Hand-written, as it runs in one transaction with its line of the log. */
export const removeDomain = statement<object>('domains_remove_domain', 'delete from domains where project_id = $1 and id = $2')

/**
 * Claims up to $3 domains that are due, one of each account after the other, and of an account those that are longest due, up to $4;
 * they are due again at `$2`. Two schedulers never claim the same domain. Hand-written for the turns and for `skip locked`.
 */
export const claimDomainsDue = statement<{ projectId: string; id: string; account: string }>(
  'domains_claim_domains_due',
  `with due as (
     select d.project_id, d.id, d.check_at, ${turnsOwnerOf('d.project_id')} as account from domains d where d.check_at <= $1::timestamptz),
   next as materialized (
     select project_id, id, account from (
       select *, row_number() over (partition by account order by check_at, id) as turn from due) d
     where turn <= $4 order by turn, check_at, id limit $3),
   held as materialized (
     select d.project_id, d.id from domains d join next n using (project_id, id) where d.check_at <= $1::timestamptz
     for update of d skip locked)
   update domains d set check_at = $2::timestamptz from held h join next n using (project_id, id)
   where d.project_id = h.project_id and d.id = h.id
   returning d.project_id as "projectId", d.id, n.account`,
  { allProjects: 'the schedule checks the domains of all projects' },
)

/** A domain as a check reads it. */
export type Checked = RecordSource & { id: string; misses: number; checkedAt: Date | null }

/** Finds a domain and locks it until the result of its check is stored. Hand-written for the lock. */
export const lockDomain = statement<Checked>(
  'domains_lock_domain',
  `select id, domain, status::text as status, dkim_selector as "dkimSelector", dkim_public as "dkimPublic", findings, misses,
     checked_at as "checkedAt"
   from domains where project_id = $1 and id = $2 for update`,
)

const leadsHere = '[{"purpose":"TRACKING","found":true}]'
const leadsHereNow = '[{"purpose":"TRACKING","found":true,"problem":null}]'

/**
 * Stores the result of a check. Hand-written, as it runs in the transaction of the lock. Links leave the host of a domain when two checks
 * in a row got no answer for it: without one they lead nowhere, and those below PUBLIC_URL always do.
 */
export const storeCheck = statement<object>(
  'domains_store_check',
  `update domains set status = $3::domain_status, misses = $4, findings = $5::jsonb,
     own_links = coalesce($5::jsonb @> '${leadsHereNow}' or ($5::jsonb @> '${leadsHere}' and findings @> '${leadsHereNow}'), false), checked_at = $6::timestamptz,
     updated_at = case when status = $3::domain_status then updated_at else $6::timestamptz end
   where project_id = $1 and id = $2`,
)

/** Deletes one batch of the domains of a deleted project. Returns the number of domains, 0 when none is left. */
export const eraseSomeDomains = eraser('domains', 'id', 1_000)
