import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core'

declare global {
  namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      nullability: NullabilityPlugin<Types>
    }
  }
}

/** Marks, in its `extensions`, a field of Query that is null only when it has failed: clients that treat errors apart may rely on it. */
export const onlyNullWithError = 'onlyNullWithError'

/** Marks, in its `extensions`, a connection whose count may fail although its page can be read. */
export const countMayFail = 'countMayFail'

const whyNull = 'Null, with SERVICE_UNAVAILABLE beside it, where counting takes longer than 15 s.'

/**
 * Makes nullable what can fail by itself: every query, if only because no project was chosen, and the counts of connections that are
 * marked so. Otherwise the error of one field would take the whole answer with it.
 */
class NullabilityPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    if (field.kind === 'Query' && !field.type.nullable)
      return { ...field, type: { ...field.type, nullable: true }, extensions: { ...field.extensions, [onlyNullWithError]: true } }
    if (field.name !== 'totalCount' || !this.builder.configStore.getTypeConfig(field.parentType).extensions?.[countMayFail]) return field
    return { ...field, type: { ...field.type, nullable: true }, description: `${field.description} ${whyNull}` }
  }
}

SchemaBuilder.registerPlugin('nullability', NullabilityPlugin)
