import { statement } from '../../kit/postgres/db.ts'

/** What is counted for the front door, at most. */
export const maxCounted = 10_000

/** Sender domains by state, and emails that have not left yet, of all projects; each counted up to $1. */
export const readInstallation = statement<{ verifiedDomains: number; pendingDomains: number; waiting: number }>(
  'platform_installation',
  `select (select count(*)::int from (select from domains where status = 'VERIFIED' limit $1) v) as "verifiedDomains",
     (select count(*)::int from (select from domains where status <> 'VERIFIED' limit $1) p) as "pendingDomains",
     (select count(*)::int from (select from emails where wake_at is not null limit $1) w) as waiting`,
  { allProjects: 'the front door of a development installation tells of all projects' },
)
