import { statement } from '../../../kit/postgres/db.ts'
import { ownerOf } from '../../projects/owner.ts'

/** An API key, with its project. */
export interface KeyRow {
  hash: string
  projectId: string
  /** The person who owns the project. */
  owner: string | null
  kind: 'PUBLIC' | 'SECRET'
  disabled: boolean
}

/** Finds a key by its hash. Every request runs this, so it is one prepared lookup by primary key. */
export const findKey = statement<KeyRow>(
  'auth_find_key',
  `select k.hash, k.project_id as "projectId", k.kind::text as kind, p.disabled or p.erasing_at is not null as disabled,
     ${ownerOf('k.project_id')} as owner
   from project_keys k join projects p on p.id = k.project_id where k.hash = $1`,
  { allProjects: 'the project is determined by the key' },
)

/** Adds requests to the windows of several projects at once and returns the totals over all processes. */
export const addRequests = statement<{ projectId: string; requests: number }>(
  'auth_add_requests',
  `insert into rate_windows as w (project_id, starts_at, requests)
   select * from unnest($1::text[], $2::timestamptz[], $3::int[]) as r(project_id, starts_at, requests) order by 1
   on conflict (project_id, starts_at) do update set requests = w.requests + excluded.requests
   returning w.project_id as "projectId", w.requests`,
)

/** Deletes windows that have ended. */
export const dropWindows = statement<object>('auth_drop_windows', 'delete from rate_windows where starts_at < $1', {
  allProjects: 'windows of all projects end together',
})
