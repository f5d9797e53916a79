import type { Membership } from '../../../kit/context.ts'
import { statement } from '../../../kit/postgres/db.ts'
import { batchStatement } from '../../../kit/postgres/erase.ts'

/** A session with its user and the user's memberships. */
export interface SessionRow {
  id: string
  userId: string
  expiresAt: Date
  email: string
  emailVerified: boolean
  memberships: Membership[]
}

const ofPeople = { allProjects: 'sessions belong to people, who may be in several projects' }

/** Finds a session with everything that a call needs. Hand-written to be one round trip: every request of a dashboard runs it. */
export const findSession = statement<SessionRow>(
  'auth_find_session',
  `select s.id, s.user_id as "userId", s.expires_at as "expiresAt", u.email, u.email_verified as "emailVerified",
     coalesce((select jsonb_agg(jsonb_build_object('projectId', m.project_id, 'role', m.role, 'projectDisabled', p.disabled or p.erasing_at is not null) order by m.project_id)
       from memberships m join projects p on p.id = m.project_id where m.user_id = u.id), '[]') as memberships
   from sessions s join users u on u.id = s.user_id where s.id = $1`,
  ofPeople,
)

/** Opens a session. Hand-written so that it can run in the transaction that creates the user. */
export const insertSession = statement<object>(
  'auth_insert_session',
  `insert into sessions (id, user_id, address, user_agent, created_at, seen_at, expires_at) values ($1, $2, $3, $4, $5, $5, $6)`,
  ofPeople,
)

/** Extends a session. */
export const renewSession = statement<object>(
  'auth_renew_session',
  'update sessions set seen_at = $2, expires_at = $3 where id = $1',
  ofPeople,
)

/** The sessions of a user that have not ended, at most 100. */
export const listSessionsOf = statement<{
  id: string
  address: string | null
  userAgent: string | null
  createdAt: Date
  seenAt: Date
  expiresAt: Date
}>(
  'auth_list_sessions_of',
  `select id, address, user_agent as "userAgent", created_at as "createdAt", seen_at as "seenAt", expires_at as "expiresAt"
   from sessions where user_id = $1 and expires_at > $2 order by id desc limit 100`,
  ofPeople,
)

/** Ends one session of a user. */
export const endOneSession = statement<{ id: string }>(
  'auth_end_one_session',
  'delete from sessions where id = $1 and user_id = $2 returning id',
  ofPeople,
)

/** Ends the sessions of a user beyond the $3 that were used last, of which one is $2; returns those that it ended. */
export const endOldestSessions = batchStatement<{ id: string }>(
  'auth_end_oldest_sessions',
  `delete from sessions where user_id = $1 and id = any(array(
     select id from sessions where user_id = $1 order by id = $2 desc, seen_at desc, id desc offset $3)) returning id`,
  ofPeople,
)

/** Ends all sessions of a user. */
export const endAllSessions = statement<object>('auth_end_all_sessions', 'delete from sessions where user_id = $1', ofPeople)

/** Deletes sessions that have ended, and returns whose they were. */
export const dropSessions = statement<{ userId: string }>(
  'auth_drop_sessions',
  'delete from sessions where expires_at < $1 returning user_id as "userId"',
  ofPeople,
)
