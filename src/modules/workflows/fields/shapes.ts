import { z } from 'zod'
import { ContactFieldType } from '../../contacts/fields/shapes.ts'

/** What a field of conditions of workflows belongs to. */
export const FieldCategory = z.enum(['Contact Fields', 'Custom Data', 'Event Data'])

/** A field that conditions of workflows can ask. */
export const WorkflowField = z
  .object({
    field: z.string().meta({ examples: ['contact.data.plan'] }),
    type: ContactFieldType.describe('Of a field of an event the type of its newest value.'),
    category: FieldCategory,
  })
  .meta({ id: 'WorkflowField', description: 'A field that conditions of workflows can ask.' })
/** A field that conditions of workflows can ask. */
export type WorkflowField = z.output<typeof WorkflowField>

/** The fields that conditions of workflows can ask. */
export const WorkflowFields = z
  .object({ fields: z.array(z.string()), typedFields: z.array(WorkflowField), count: z.int() })
  .meta({ id: 'WorkflowFields', description: 'The fields that conditions of workflows can ask; `fields` has their names.' })

/** The event whose fields are asked for. */
export const WorkflowFieldsSearch = z.object({
  eventName: z.string().max(255).optional().describe('The event that starts the workflow; without it only fields of contacts are listed.'),
})
