import { statement } from '../../kit/postgres/db.ts'

/** Maximum of each count on the home page. */
export const maxCounted = 10_000

/** The number of sender domains by status and of emails not sent yet, of all projects; each counted up to $1. */
export const readInstallation = statement<{ verifiedDomains: number; pendingDomains: number; waiting: number }>(
  'platform_read_installation',
  `select (select count(*)::int from (select from domains where status = 'VERIFIED' limit $1) v) as "verifiedDomains",
     (select count(*)::int from (select from domains where status <> 'VERIFIED' limit $1) p) as "pendingDomains",
     (select count(*)::int from (select from deliveries limit $1) w) as waiting`,
  { allProjects: 'the home page of a development installation counts all projects' },
)
