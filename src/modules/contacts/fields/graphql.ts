import { builder, payloadOf } from '../../../kit/builder.ts'
import { read } from '../../../kit/problems.ts'
import { enumMadeOf, enumOf, graphqlInput } from '../../../kit/zod-input.ts'
import { operatorsOf } from '../../filters/language.ts'
import { FilterOperator } from '../../filters/shapes.ts'
import { isUnused } from '../../filters/usage.ts'
import { deleteField } from './delete.ts'
import { type CountedField, connectFields } from './fields.ts'
import { ByField, ContactFieldType, FieldValuesSearch } from './shapes.ts'
import { findFieldUses } from './usage.ts'
import { listFieldValues } from './values.ts'

const Type = enumOf('ContactFieldType', ContactFieldType, 'The type of a field: that of its first value, which stays.', {
  string: 'Text; objects and lists count as text.',
  number: 'A number.',
  boolean: 'True or false.',
  date: 'A date, `YYYY-MM-DD`, or a date and time in UTC, `YYYY-MM-DDTHH:MM:SSZ`.',
})

const Usage = builder.objectType('ContactFieldUsage', {
  description: 'What uses a field.',
  fields: (t) => ({
    isUsed: t.boolean({
      description:
        'Whether anything uses it. `deleteContactField` does not refuse it then: conditions that ask it stay, and no longer match.',
      resolve: (uses) => !isUnused(uses),
    }),
  }),
})

const Field = builder.objectRef<CountedField>('ContactField').implement({
  description: 'A field of the contacts of the project.',
  fields: (t) => ({
    field: t.exposeString('field', { description: 'The name as conditions use it: custom fields begin with `data.`.' }),
    type: t.expose('type', { type: Type, description: 'The type of the first value that was seen, which stays.' }),
    operators: t.field({
      type: [enumMadeOf(FilterOperator)],
      extensions: { maxItems: FilterOperator.options.length },
      description: 'What filters can do with it, whatever its type: a value of another type does not match.',
      resolve: ({ field }) => operatorsOf(field, 'audience'),
    }),
    isCustom: t.exposeBoolean('isCustom', { description: 'Whether it is custom data, which `deleteContactField` can remove.' }),
    coverage: t.exposeFloat('coverage', {
      description: 'The share of contacts that have it, 0 to 1; above 10,000 contacts at most 60 s old.',
    }),
    contactCount: t.exposeInt('contactCount', { description: 'How many contacts have it; above 10,000 contacts at most 60 s old.' }),
    usage: t.field({
      type: Usage,
      description: 'What uses it: look here before `deleteContactField`.',
      resolve: ({ field }, _args, ctx) => findFieldUses(ctx, { field }),
    }),
  }),
})

builder.queryFields((t) => ({
  contactFields: t.connection(
    {
      type: Field,
      description: 'The fields of contacts, standard and custom, at most 2,004, by name. A new custom field is listed at once.',
      resolve: (_parent, args, ctx) => connectFields(ctx, args),
    },
    { name: 'ContactFieldConnection', description: 'Fields of contacts, by name.' },
    { name: 'ContactFieldEdge' },
  ),
  contactFieldValues: t.field({
    extensions: { cost: 50 },
    type: ['JSON'],
    description:
      'Distinct values of a field, sorted as text: strings of up to 1,000 characters that are not empty, numbers and booleans. Of standard fields only `subscribed` has values: true, then false. Above 10,000 contacts at most 60 s old.',
    args: {
      field: t.arg.string({ required: true, description: 'The name of the field; a custom one with or without `data.`.' }),
      limit: t.arg.int({ required: true, defaultValue: 100, description: 'Maximum number of values, 1 to 200.' }),
    },
    resolve: async (_parent, args, ctx) => (await listFieldValues(ctx, read(FieldValuesSearch, args, 'query'))).values,
  }),
}))

const deletion = graphqlInput('DeleteContactFieldInput', ByField)

const DeleteContactFieldPayload = payloadOf<{ field: string; deletedFrom: number }>('DeleteContactFieldPayload', (t) => ({
  deletedField: t.exposeString('field', { description: 'The field as it was given.' }),
  contactCount: t.exposeInt('deletedFrom', { description: 'How many contacts had it.' }),
}))

builder.mutationField('deleteContactField', (t) =>
  t.field({
    extensions: { cost: 100, waits: true },
    type: DeleteContactFieldPayload,
    description:
      'Removes a custom field from every contact and forgets its type. Bulk operations, exports, and campaigns whose recipients are being fixed, end if they go on by a condition that asks it. Fails with VALIDATION_ERROR for a standard field.',
    args: deletion.args(t),
    resolve: async (_parent, args, ctx) => {
      const { field } = deletion.read(args)
      return { field, ...(await deleteField(ctx, { field })) }
    },
  }),
)
