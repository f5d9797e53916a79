import { statement } from '../../kit/postgres/db.ts'
import type { User } from './shapes.ts'

const ofPeople = { allProjects: 'accounts belong to people, who may be in several projects' }

/** An account with the hash of its password. */
export interface Account extends User {
  passwordHash: string | null
}

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
export const replacePassword = statement<object>(
  'users_replace_password',
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

/** Whether a user is linked to any provider account. */
export const selectAnyIdentity = statement<object>(
  'users_select_any_identity',
  'select 1 from identities where user_id = $1 limit 1',
  ofPeople,
)
