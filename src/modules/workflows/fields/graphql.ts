import { builder } from '../../../kit/builder.ts'
import { enumMadeOf, enumOf } from '../../../kit/zod-input.ts'
import { ContactFieldType } from '../../contacts/fields/shapes.ts'
import { FilterOperator } from '../../filters/shapes.ts'
import { connectWorkflowFields, operatorsOfField } from './fields.ts'
import { FieldCategory, type WorkflowField } from './shapes.ts'

const Category = enumOf('WorkflowFieldCategory', FieldCategory, 'What a field of conditions of workflows belongs to.', {
  'Contact Fields': 'A field that every contact has.',
  'Custom Data': 'Custom data of contacts.',
  'Event Data': 'The data of the event that started the execution.',
})

const Field = builder.objectRef<WorkflowField>('WorkflowField').implement({
  description: 'A field that conditions of workflows can ask.',
  fields: (t) => ({
    field: t.exposeString('field', { description: 'The name as conditions use it, such as `contact.data.plan` or `event.total`.' }),
    type: t.expose('type', {
      type: enumMadeOf(ContactFieldType),
      description: 'Its type; of a field of an event that of its newest value.',
    }),
    operators: t.field({
      type: [enumMadeOf(FilterOperator)],
      extensions: { maxItems: FilterOperator.options.length },
      description: 'What filters can do with it, whatever its type: a value of another type does not match.',
      resolve: (field) => operatorsOfField(field),
    }),
    category: t.expose('category', { type: Category, description: 'What it belongs to.' }),
  }),
})

builder.queryFields((t) => ({
  workflowFields: t.connection(
    {
      type: Field,
      description:
        'The fields that conditions of workflows can ask, by name: those of contacts, and with `eventName` the keys of the data of its newest 100 events.',
      args: { eventName: t.arg.string({ description: 'The event that starts the workflow.' }) },
      resolve: (_parent, { eventName, ...args }, ctx) => connectWorkflowFields(ctx, { eventName: eventName ?? undefined }, args),
    },
    { name: 'WorkflowFieldConnection', description: 'Fields that conditions of workflows can ask, by name.' },
    { name: 'WorkflowFieldEdge' },
  ),
}))
