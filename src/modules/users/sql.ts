import { statement } from '../../kit/postgres/db.ts'
import type { Account } from './shapes.ts'

const ofPeople = { allProjects: 'accounts belong to people, who may be in several projects' }

const columns = 'id, email, email_verified as "emailVerified", password_hash as "passwordHash"'

/** Creates an account. Hand-written, like the others here: it runs in one transaction with sessions, tokens and a job. */
export const insertUser = statement<Account>(
  'users_insert_user',
  `insert into users (id, email, password_hash, email_verified, created_at, updated_at) values ($1, $2, $3, $4, $5, $5) returning ${columns}`,
  ofPeople,
)

/** Finds an account by its address. */
export const findByEmail = statement<Account>('users_find_by_email', `select ${columns} from users where email = $1`, ofPeople)

/** Finds an account and locks it until the transaction ends. */
export const lockUser = statement<Account>('users_lock_user', `select ${columns} from users where id = $1 for update`, ofPeople)

/** Marks the address as verified. */
export const markVerified = statement<object>(
  'users_mark_verified',
  'update users set email_verified = true, updated_at = $2 where id = $1',
  ofPeople,
)

/** Replaces the password hash; null removes it. */
export const replacePasswordHash = statement<object>(
  'users_replace_password_hash',
  'update users set password_hash = $2, updated_at = $3 where id = $1',
  ofPeople,
)

/** Deletes an account with its sessions, tokens and memberships. */
export const removeUser = statement<object>('users_remove_user', 'delete from users where id = $1', ofPeople)

/** The user who is linked to a provider account. */
export const selectIdentity = statement<{ userId: string }>(
  'users_select_identity',
  'select user_id as "userId" from identities where provider = $1 and subject = $2',
  ofPeople,
)

/** Links a provider account to a user. */
export const insertIdentity = statement<object>(
  'users_insert_identity',
  'insert into identities (provider, subject, user_id, email, created_at) values ($1, $2, $3, $4, $5)',
  ofPeople,
)

/** Whether a user is linked to another account at a provider. */
export const selectOtherIdentity = statement<object>(
  'users_select_other_identity',
  'select 1 from identities where user_id = $1 and provider = $2 and subject <> $3 limit 1',
  ofPeople,
)

/** Removes the links of a user to all provider accounts. */
export const deleteIdentities = statement<object>('users_delete_identities', 'delete from identities where user_id = $1', ofPeople)

/** Counts an attempt and returns the count in one statement, so that parallel attempts cannot pass the limit together. */
export const countAttempt = statement<{ count: number; expiresAt: Date }>(
  'users_count_attempt',
  `insert into auth_attempts as a (key, count, starts_at, expires_at) values ($1, 1, $2, $3)
   on conflict (key) do update set
     count = case when a.expires_at <= $2 then 1 else a.count + 1 end,
     starts_at = case when a.expires_at <= $2 then $2 else a.starts_at end,
     expires_at = case when a.expires_at <= $2 then $3 else a.expires_at end
   returning count, expires_at as "expiresAt"`,
  ofPeople,
)

/** The count of a subject, unless its window has ended. */
export const readAttempts = statement<{ count: number; expiresAt: Date }>(
  'users_read_attempts',
  'select count, expires_at as "expiresAt" from auth_attempts where key = $1 and expires_at > $2',
  ofPeople,
)

/** Deletes the count of a subject. */
export const forgetAttempt = statement<object>('users_forget_attempt', 'delete from auth_attempts where key = $1', ofPeople)

/** Deletes counts whose window has ended. */
export const dropAttempts = statement<object>('users_drop_attempts', 'delete from auth_attempts where expires_at < $1', ofPeople)
