import { statement } from '../../../kit/postgres/db.ts'

const ofPeople = { allProjects: 'accounts belong to people, who may be in several projects' }

const across = { allProjects: 'people sign in before there is a project' }

/** Counts an attempt and returns the count in one statement, so that parallel attempts cannot pass the limit together. */
export const countAttempt = statement<{ count: number; expiresAt: Date }>(
  'auth_count_attempt',
  `insert into auth_attempts as a (key, count, starts_at, expires_at) values ($1, 1, $2, $3)
   on conflict (key) do update set
     count = case when a.expires_at <= $2 then 1 else a.count + 1 end,
     starts_at = case when a.expires_at <= $2 then $2 else a.starts_at end,
     expires_at = case when a.expires_at <= $2 then $3 else a.expires_at end
   returning count, expires_at as "expiresAt"`,
  across,
)

/** Deletes the count of a subject. */
export const forgetAttempt = statement<object>('auth_forget_attempt', 'delete from auth_attempts where key = $1', across)

/** Takes one attempt off a count. */
export const returnAttempt = statement<object>(
  'auth_return_attempt',
  'update auth_attempts set count = greatest(count - 1, 0) where key = $1',
  across,
)

/** Deletes counts whose window has ended. */
export const dropAttempts = statement<object>('auth_drop_attempts', 'delete from auth_attempts where expires_at < $1', across)

/** Stores the hash of a token. */
export const insertToken = statement<object>(
  'auth_insert_token',
  'insert into account_tokens (hash, user_id, purpose, created_at, expires_at) values ($1, $2, $3::token_purpose, $4, $5)',
  ofPeople,
)

/** Deletes a valid token and returns its user: of two uses at the same moment only one finds it. */
export const useToken = statement<{ userId: string }>(
  'auth_use_token',
  'delete from account_tokens where hash = $1 and purpose = $2::token_purpose and expires_at > $3 returning user_id as "userId"',
  ofPeople,
)

/** Whether a token is valid. */
export const findToken = statement<{ found: boolean }>(
  'auth_find_token',
  'select true as found from account_tokens where hash = $1 and purpose = $2::token_purpose and expires_at > $3',
  ofPeople,
)

/** Deletes every token of a user. */
export const dropUserTokens = statement<object>('auth_drop_user_tokens', 'delete from account_tokens where user_id = $1', ofPeople)

/** Deletes tokens that have expired. */
export const dropTokens = statement<object>('auth_drop_tokens', 'delete from account_tokens where expires_at < $1', ofPeople)
