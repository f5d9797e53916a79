import type { Ctx } from '../../../kit/context.ts'
import { type Connection, type ConnectionArgs, nameKey } from '../../../kit/paging.ts'
import { connectWhole } from '../../../kit/whole-list.ts'
import { standardFields } from './columns.ts'
import { type Coverage, coverageOf } from './coverage.ts'
import { customPrefix } from './names.ts'
import type { ContactField } from './shapes.ts'
import { selectCustomFields } from './sql.ts'

/** A field, and how many contacts have it. */
export type CountedField = ContactField & { contactCount: number }

/** The fields of the contacts of a project, standard and custom, by name; a new one is listed at once. */
export async function listFields(ctx: Pick<Ctx, 'world' | 'db' | 'projectId'>): Promise<{ fields: CountedField[]; count: number }> {
  const [custom, coverage] = await Promise.all([ctx.db.run(selectCustomFields, [ctx.projectId]), coverageOf(ctx)])
  const fields = [
    ...Object.entries(standardFields).map(([field, type]) => ({
      field,
      type,
      isCustom: false,
      coverage: 1,
      contactCount: coverage.contacts,
    })),
    ...custom.map(({ key, type }) => ({ field: customPrefix + key, type, isCustom: true, ...shareOf(key, coverage) })),
  ]
  return { fields: fields.sort((one, other) => (one.field < other.field ? -1 : 1)), count: fields.length }
}

/** The same list as a connection. */
export async function connectFields(ctx: Pick<Ctx, 'world' | 'db' | 'projectId'>, args: ConnectionArgs): Promise<Connection<CountedField>> {
  const { fields } = await listFields(ctx)
  return connectWhole(fields, args, { keyOf: ({ field }) => [field] as const, shape: nameKey, newestFirst: false })
}

function shareOf(key: string, { contacts, byKey }: Coverage): Pick<CountedField, 'coverage' | 'contactCount'> {
  const contactCount = byKey.get(key) ?? 0
  return { contactCount, coverage: contacts === 0 ? 0 : contactCount / contacts }
}
