import { statement } from '../../../kit/postgres/db.ts'

const ofPeople = { allProjects: 'accounts belong to people, who may be in several projects' }

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

/** The user of a valid token, which stays valid. */
export const findToken = statement<{ userId: string }>(
  'auth_find_token',
  'select user_id as "userId" from account_tokens where hash = $1 and purpose = $2::token_purpose and expires_at > $3',
  ofPeople,
)

/** Deletes the tokens of a user: those for $2, or all with null. */
export const dropUserTokens = statement<object>(
  'auth_drop_user_tokens',
  'delete from account_tokens where user_id = $1 and ($2::token_purpose is null or purpose = $2::token_purpose)',
  ofPeople,
)

/** Deletes tokens that have expired. */
export const dropTokens = statement<object>('auth_drop_tokens', 'delete from account_tokens where expires_at < $1', ofPeople)
