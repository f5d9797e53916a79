import { createCache } from '../../../kit/cache.ts'
import type { Ctx } from '../../../kit/context.ts'
import { scanned } from '../../../kit/postgres/scanned.ts'
import { perWorld } from '../../../kit/world.ts'
import { countContacts } from '../contacts.ts'
import { exactUpTo, maxAgeMs } from './coverage.ts'
import { isStandard, keyOfField } from './names.ts'
import type { FieldValue, FieldValuesSearch } from './shapes.ts'
import { selectValues } from './sql.ts'

interface Which extends Pick<Ctx, 'db'> {
  projectId: string
  key: string
  limit: number
}

type Call = Pick<Ctx, 'world' | 'db' | 'projectId'>

const maxBytes = 10 * 1024 * 1024

// Of large projects only.
const cachedValues = perWorld((world) =>
  createCache<Which, FieldValue[]>({
    max: 1_000,
    weight: { max: maxBytes, weigh: ({ answer }) => JSON.stringify(answer).length },
    ttlMs: maxAgeMs,
    clock: world.clock,
    nameOf: ({ projectId, key, limit }: Which) => JSON.stringify([projectId, key, limit]),
    load: read,
  }),
)

/**
 * The first distinct values of a field, sorted as text: strings of at most 1,000 characters that are not empty, numbers and
 * booleans. Of standard fields only `subscribed` has values: true, then false. Above 10,000 contacts they are at most 60 s old.
 */
export async function listFieldValues(ctx: Call, { field, limit }: FieldValuesSearch) {
  const values = isStandard(field) ? standardValues(field) : await valuesOf(ctx, { key: keyOfField(field), limit })
  return { field, values: values.slice(0, limit), count: Math.min(values.length, limit), limit }
}

function standardValues(field: string): FieldValue[] {
  return field === 'subscribed' ? [true, false] : []
}

// Those of a large project are read for everybody who asks meanwhile.
async function valuesOf({ world, db, projectId }: Call, which: Pick<Which, 'key' | 'limit'>): Promise<FieldValue[]> {
  const isSmall = (await countContacts({ world, db, projectId }, {})) <= exactUpTo
  if (isSmall) return read({ ...which, db, projectId })
  return cachedValues(world).find({ ...which, db: db.lasting(), projectId })
}

async function read({ db, projectId, key, limit }: Which): Promise<FieldValue[]> {
  return (await scanned(db.scans.run(selectValues, [projectId, key, limit]), 'Finding the values of the field took longer than 15 s.')).map(
    ({ value }) => value,
  )
}
