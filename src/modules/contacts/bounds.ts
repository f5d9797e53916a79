import type { Ctx } from '../../kit/context.ts'
import { type Failure, invalid } from '../../kit/errors.ts'
import { isPostgresError } from '../../kit/postgres/db.ts'
import { type DataPatch, maxStoredBytes, tooLarge } from './data.ts'
import { sumStoredBytes } from './sql.ts'

const megabyte = 1024 * 1024
const maxTogetherMegabytes = 8
const maxTogether = maxTogetherMegabytes * megabyte

// Postgres holds the bounds of stored data, so that they are exact across parallel calls and processes: the constraints of
// contacts and contact_field_counts, and what a call that violates one is told.
const refusals: Record<string, () => Failure> = {
  contacts_data_keys: () =>
    invalid('data', 'must leave the contact with at most 500 stored keys: delete others first, by setting them to null', 'too_big'),
  contacts_data_size: tooLarge,
  contact_fields_max: () => invalid('data', 'must not add custom fields: the project has 2,000, which is the maximum', 'too_many_fields'),
  contact_fields_public_max: () =>
    invalid('data', 'must not add custom fields with the public key: it has added 1,000, which is the maximum', 'too_many_fields'),
  contact_fields_public_day_max: () =>
    invalid('data', 'must not add more than 100 custom fields a day with the public key: use the secret key', 'too_many_fields'),
}

/** Waits for a write of contacts; fails with VALIDATION_ERROR, with nothing written, when it would pass a bound of stored data. */
export async function withinBounds<Written>(write: Promise<Written>): Promise<Written> {
  try {
    return await write
  } catch (error) {
    const refusal = isPostgresError(error) && error.code === '23514' ? refusals[error.constraint ?? ''] : undefined
    throw refusal ? refusal() : error
  }
}

/**
 * Requires that the contacts of some addresses, whose data one transaction is to change, hold at most 8 MB of data together, with what each
 * of them gets. Fails with VALIDATION_ERROR for `to`.
 */
export async function requireLittleData(
  { db, projectId }: Pick<Ctx, 'db' | 'projectId'>,
  { emails, patch: { set, removed } }: { emails: readonly string[]; patch: Pick<DataPatch, 'set' | 'removed'> },
): Promise<void> {
  const isUnchanged = removed.length === 0 && Object.keys(set).length === 0
  if (isUnchanged || emails.length * maxStoredBytes <= maxTogether) return
  const added = emails.length * Buffer.byteLength(JSON.stringify(set))
  const [stored] = added > maxTogether ? [] : await db.run(sumStoredBytes, [projectId, emails])
  if (added + (stored?.bytes ?? 0) <= maxTogether) return
  throw invalid(
    'to',
    `must have recipients whose contacts store at most ${maxTogetherMegabytes} MB of data together, where \`data\` changes it: send to fewer at once, or send values as {"value": …, "persistent": false}, which are not stored`,
    'too_big',
  )
}
