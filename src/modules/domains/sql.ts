import { statement } from '../../kit/postgres/db.ts'
import { eraser } from '../../kit/postgres/erase.ts'
import type { ProvedBy } from './dns/records.ts'

/** Whether a project may send from a domain. Hand-written: it stands on the path of every send. */
export const findVerified = statement<{ verified: boolean }>(
  'domains_find_verified',
  `select true as verified from domains where project_id = $1 and domain = $2 and status = 'VERIFIED'`,
)

/** Lets one domain at a time be added to a project. Hand-written for the lock, without which more pass the limit at once. */
export const holdProject = statement<object>('domains_hold_project', 'select 1 from projects p where p.id = $1 for no key update', {
  allProjects: 'a project is found by its own id',
})

/** How many domains a project has. Hand-written, as it belongs to the transaction of the hold; a statement of its own, to see what others added before. */
export const countDomains = statement<{ count: number }>(
  'domains_count',
  'select count(*)::int as count from domains where project_id = $1',
)

/** Adds a domain. Hand-written, as it belongs to the transaction of the count above. */
export const insertDomain = statement<object>(
  'domains_insert',
  `insert into domains (project_id, id, domain, status, dkim_selector, dkim_public, dkim_sealed, checked_at, check_at, created_at, updated_at)
   values ($1, $2, $3, $4::domain_status, $5, $6, $7, $8::timestamptz, $9::timestamptz, $10::timestamptz, $10::timestamptz)`,
)

/**
 * Takes the domains whose time has come, the longest due first, and puts them off until `$2`: of two schedulers each gets
 * others. Hand-written for `skip locked`.
 */
export const claimDue = statement<{ projectId: string; id: string }>(
  'domains_claim_due',
  `update domains set check_at = $2::timestamptz where (project_id, id) in
     (select project_id, id from domains where check_at <= $1::timestamptz order by check_at limit $3 for update skip locked)
   returning project_id as "projectId", id`,
  { allProjects: 'the timetable checks every project in one go' },
)

/** A domain as a check sees it. */
export type Checked = ProvedBy & { id: string; misses: number; checkedAt: Date | null }

/** A domain, held until its check is settled. Hand-written for the lock. */
export const holdDomain = statement<Checked>(
  'domains_hold',
  `select id, domain, status::text as status, dkim_selector as "dkimSelector", dkim_public as "dkimPublic", findings, misses,
     checked_at as "checkedAt"
   from domains where project_id = $1 and id = $2 for update`,
)

/** Writes down what a check found. Hand-written, as it belongs to the transaction of the hold. */
export const settleDomain = statement<object>(
  'domains_settle',
  `update domains set status = $3::domain_status, misses = $4, findings = $5::jsonb, checked_at = $6::timestamptz,
     updated_at = case when status = $3::domain_status then updated_at else $6::timestamptz end
   where project_id = $1 and id = $2`,
)

/** Removes one batch of the domains of a project that is deleted; answers how many, 0 when none is left. */
export const eraseSomeDomains = eraser('domains', 'id', 1_000)
