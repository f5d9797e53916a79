import type { Ctx } from '../../kit/context.ts'
import { type Failure, invalid } from '../../kit/errors.ts'
import { isPostgresError } from '../../kit/postgres/db.ts'
import { recent } from '../../kit/recent.ts'
import { perWorld, type World } from '../../kit/world.ts'
import { type DataPatch, maxStoredBytes, tooLarge } from './data.ts'
import { sumStoredBytes } from './sql.ts'

const megabyte = 1024 * 1024
const maxTogetherMegabytes = 8
const maxTogether = maxTogetherMegabytes * megabyte
const rememberedMs = 5 * 60_000
const weights = perWorld(() => recent<string, number>({ max: 10_000, ttlMs: rememberedMs }))

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
 * About how many bytes of custom data a contact of a project has: the highest average of the groups of contacts that this process has
 * written lately, 0 where none was. A write reads, and writes again, all data of its contact, however little of it changes.
 */
export function storedBytes(world: World, projectId: string): number {
  return weights(world).get(projectId) ?? 0
}

/** Takes note of how many bytes of data the contacts have that were just written together; `projects` are those of `bytes`, in order. */
export function noteStoredBytes(world: World, projects: readonly string[], bytes: readonly number[]): void {
  const sums = new Map<string, { bytes: number; contacts: number }>()
  for (const [at, projectId] of projects.entries()) {
    const sum = sums.get(projectId) ?? { bytes: 0, contacts: 0 }
    sums.set(projectId, { bytes: sum.bytes + (bytes[at] ?? 0), contacts: sum.contacts + 1 })
  }
  for (const [projectId, sum] of sums) {
    const average = sum.bytes / sum.contacts
    if (average >= storedBytes(world, projectId)) weights(world).set(projectId, average)
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
