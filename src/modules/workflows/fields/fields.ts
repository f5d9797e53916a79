import type { Ctx } from '../../../kit/context.ts'
import { type Connection, type ConnectionArgs, nameKey } from '../../../kit/paging.ts'
import { connectWhole } from '../../../kit/whole-list.ts'
import { listFields } from '../../contacts/fields/fields.ts'
import { operatorsOf } from '../../filters/language.ts'
import type { FilterOperator } from '../../filters/shapes.ts'
import type { WorkflowField } from './shapes.ts'
import { selectEventKeys } from './sql.ts'

const maxEventFields = 1_000

/**
 * The fields that conditions of workflows can ask: those of contacts, and with an event at most 1,000 keys of the data of its newest
 * 100 events.
 */
export async function listWorkflowFields(
  ctx: Pick<Ctx, 'world' | 'db' | 'projectId'>,
  { eventName }: { eventName?: string | undefined },
): Promise<{ fields: string[]; typedFields: WorkflowField[]; count: number }> {
  const [{ fields: known }, keys] = await Promise.all([
    listFields(ctx),
    eventName ? ctx.db.run(selectEventKeys, [ctx.projectId, eventName, maxEventFields]) : [],
  ])
  const typedFields: WorkflowField[] = [
    ...known.map(({ field, type, isCustom }) => ({
      field: `contact.${field}`,
      type,
      category: isCustom ? ('Custom Data' as const) : ('Contact Fields' as const),
    })),
    ...keys.map(({ key, type }) => ({ field: `event.${key}`, type, category: 'Event Data' as const })),
  ]
  return { fields: typedFields.map(({ field }) => field), typedFields, count: typedFields.length }
}

/** The operators that a condition of a workflow can use with a field, which fields of contacts name as `contact.<field>`. */
export function operatorsOfField({ field }: Pick<WorkflowField, 'field'>): FilterOperator[] {
  return operatorsOf(field.replace(/^contact\./, ''), 'workflow')
}

/** The same list as a connection, by name. */
export async function connectWorkflowFields(
  ctx: Pick<Ctx, 'world' | 'db' | 'projectId'>,
  search: { eventName?: string | undefined },
  args: ConnectionArgs,
): Promise<Connection<WorkflowField>> {
  const { typedFields } = await listWorkflowFields(ctx, search)
  const sorted = typedFields.toSorted((one, other) => (one.field < other.field ? -1 : 1))
  return connectWhole(sorted, args, { keyOf: ({ field }) => [field] as const, shape: nameKey, newestFirst: false })
}
