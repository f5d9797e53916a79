import type { Ctx } from '../../../kit/context.ts'
import { isUnused, listUsesOfField, type Uses } from '../../filters/usage.ts'
import { coverageOf } from './coverage.ts'
import { customPrefix, isStandard, keyOfField } from './names.ts'
import type { FieldUsage } from './shapes.ts'

/** What uses a field, and whether it may be removed without breaking any of it. */
export type FieldUses = Uses & { canDelete: boolean }

/** What uses a field; all calls of one turn of the event loop are one statement. A standard field can never be removed. */
export async function findFieldUses(ctx: Pick<Ctx, 'world' | 'projectId'>, { field }: { field: string }): Promise<FieldUses> {
  const standard = isStandard(field)
  const uses = await listUsesOfField(ctx, standard ? field : customPrefix + keyOfField(field))
  return { ...uses, canDelete: !standard && isUnused(uses) }
}

/**
 * The same with the number of contacts that have the field: exact up to 10,000 contacts, above that at most 60 s old. A field
 * that no contact ever had has no users unless their conditions name it already.
 */
export async function getFieldUsage(ctx: Pick<Ctx, 'world' | 'db' | 'projectId'>, { field }: { field: string }): Promise<FieldUsage> {
  const [uses, { contacts, byKey }] = await Promise.all([findFieldUses(ctx, { field }), coverageOf(ctx)])
  return { ...uses, contactCount: isStandard(field) ? contacts : (byKey.get(keyOfField(field)) ?? 0) }
}
