import { createCache } from '../../../kit/cache.ts'
import type { Ctx } from '../../../kit/context.ts'
import { scanned } from '../../../kit/postgres/scanned.ts'
import { perWorld, type World } from '../../../kit/world.ts'
import { countContacts } from '../contacts.ts'
import { exactUpTo, maxAgeMs } from './coverage.ts'
import { isStandard, keyOfField } from './names.ts'
import type { FieldValue, FieldValuesSearch } from './shapes.ts'
import { selectValues } from './sql.ts'

interface Which {
  projectId: string
  key: string
  limit: number
}

const maxBytes = 10 * 1024 * 1024

// Of large projects only.
const cachedValues = perWorld((world) =>
  createCache<Which, FieldValue[]>({
    max: 1_000,
    weight: { max: maxBytes, weigh: ({ answer }) => JSON.stringify(answer).length },
    ttlMs: maxAgeMs,
    clock: world.clock,
    nameOf: ({ projectId, key, limit }: Which) => JSON.stringify([projectId, key, limit]),
    load: (which) => read(world, which),
  }),
)

/**
 * The first distinct values of a field, sorted as text: strings of at most 1,000 characters that are not empty, numbers and
 * booleans. Of standard fields only `subscribed` has values: true, then false. Above 10,000 contacts they are at most 60 s old.
 */
export async function listFieldValues({ world, projectId }: Pick<Ctx, 'world' | 'projectId'>, { field, limit }: FieldValuesSearch) {
  const values = isStandard(field) ? standardValues(field) : await valuesOf(world, { projectId, key: keyOfField(field), limit })
  return { field, values: values.slice(0, limit), count: Math.min(values.length, limit), limit }
}

function standardValues(field: string): FieldValue[] {
  return field === 'subscribed' ? [true, false] : []
}

async function valuesOf(world: World, which: Which): Promise<FieldValue[]> {
  const isSmall = (await countContacts({ world, projectId: which.projectId }, {})) <= exactUpTo
  return isSmall ? read(world, which) : cachedValues(world).find(which)
}

async function read({ db }: World, { projectId, key, limit }: Which): Promise<FieldValue[]> {
  return (await scanned(db.scans.run(selectValues, [projectId, key, limit]), 'Finding the values of the field took longer than 15 s.')).map(
    ({ value }) => value,
  )
}
