import { statement } from '../../kit/db.ts'

/** Whether a project may send from a domain. Hand-written: it stands on the path of every send. */
export const findVerified = statement<{ verified: boolean }>(
  'domains_find_verified',
  `select true as verified from domains where project_id = $1 and domain = $2 and status = 'VERIFIED'`,
)
