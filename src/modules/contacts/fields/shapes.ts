import { z } from 'zod'
import { wholeNumber } from '../../../kit/shapes.ts'
import { standardFields } from './columns.ts'

/** The type of a field of contacts. */
export const ContactFieldType = z.enum(['string', 'number', 'boolean', 'date'])

const fieldName = z.string().meta({ description: 'The name of a field.', examples: ['data.plan', 'email'] })

/** A field of the contacts of a project. */
export const ContactField = z
  .object({
    field: fieldName.describe('The name as conditions use it: custom fields begin with `data.`.'),
    type: ContactFieldType.describe('The type of the first value that was seen, which stays.'),
    isCustom: z.boolean().describe('Whether it is custom data.'),
    coverage: z.number().min(0).max(1).describe('The share of contacts that have it; above 10,000 contacts at most 60 seconds old.'),
  })
  .meta({ id: 'ContactField' })
/** A field of the contacts of a project. */
export type ContactField = z.output<typeof ContactField>

/** The fields of the contacts of a project, by name. */
export const ContactFields = z.object({ fields: z.array(ContactField), count: z.number().int() }).meta({ id: 'ContactFields' })

/** A field in a path. */
export const ByField = z.object({ field: z.string().describe('The name of a field; a custom one with or without `data.`.') })

/** A custom field in a path; standard ones are refused with a sentence of their own. */
export const ByCustomField = z.object({
  field: z.string().meta({
    description: 'The name of a custom field, with or without `data.`; none of the standard fields.',
    not: { enum: Object.keys(standardFields) },
  }),
})

/** Which values of a field to list. */
export const FieldValuesSearch = ByField.extend({
  limit: wholeNumber(200).default(100).describe('Maximum number of values, 1 to 200.'),
})
/** Which values of a field to list. */
export type FieldValuesSearch = z.output<typeof FieldValuesSearch>

/** A value of a field that can be listed. */
export type FieldValue = string | number | boolean

/** Distinct values of a field. */
export const FieldValues = z
  .object({
    field: z.string().describe('The field as it was asked for.'),
    values: z
      .array(z.union([z.string(), z.number(), z.boolean()]))
      .describe('Distinct values, sorted as text; of `subscribed` true, then false.'),
    count: z.number().int().describe('How many values these are.'),
    limit: z.number().int(),
  })
  .meta({ id: 'FieldValues' })

const users = (what: string) =>
  z
    .array(z.object({ id: z.string(), name: z.string() }))
    .describe(`The ${what} whose own conditions ask the field, newest first; not those that refer to one of the segments.`)

/** What uses a field, and how many contacts have it. */
export const FieldUsage = z
  .object({
    usedInSegments: users('segments'),
    usedInCampaigns: users('campaigns').describe(
      'The campaigns whose audience is a condition that asks the field, newest first, of 500: those that are scheduled or being sent, then drafts, then ended ones.',
    ),
    usedInWorkflows: users('workflows').describe('The workflows with steps that ask or change it, newest first.'),
    contactCount: z.number().int().describe('How many contacts have it; above 10,000 contacts at most 60 seconds old.'),
    canDelete: z.boolean().describe('Whether nothing of these uses it, and it is not a standard field.'),
  })
  .meta({ id: 'FieldUsage' })
/** What uses a field, and how many contacts have it. */
export type FieldUsage = z.output<typeof FieldUsage>

/** From how many contacts a field was removed. */
export const FieldDeleted = z.object({ deletedFrom: z.number().int().describe('How many contacts had it.') }).meta({ id: 'FieldDeleted' })
