import { route } from '../../../kit/route.ts'
import { Nothing } from '../../../kit/shapes.ts'
import { deleteField } from './delete.ts'
import { listFields } from './fields.ts'
import { ByCustomField, ByField, ContactFields, FieldDeleted, FieldUsage, FieldValues, FieldValuesSearch } from './shapes.ts'
import { getFieldUsage } from './usage.ts'
import { listFieldValues } from './values.ts'

/** The fields of contacts. */
export const routes = [
  route('GET', '/contacts/fields', 'secret', Nothing, ContactFields, listFields, {
    summary: 'List the fields of contacts, standard and custom',
    description: 'Sorted by name. A new custom field is listed at once, with the type of its first value, which stays.',
  }),
  route('GET', '/contacts/fields/:field/values', 'secret', FieldValuesSearch, FieldValues, listFieldValues, {
    summary: 'List distinct values of a field',
    description:
      'Strings of up to 1,000 characters that are not empty, numbers and booleans, sorted as text. Of standard fields only `subscribed` has values: true, then false. Above 10,000 contacts they are at most 60 seconds old.',
  }),
  route('GET', '/contacts/fields/:field/usage', 'secret', ByField, FieldUsage, getFieldUsage, {
    summary: 'Get what uses a field, and how many contacts have it',
    description: 'Look here before removing it: segments whose conditions ask it, or a part of it by a path, would have other members.',
  }),
  route('DELETE', '/contacts/fields/:field', 'secret', ByCustomField, FieldDeleted, deleteField, {
    summary: 'Remove a custom field from every contact',
    description:
      'The field and its type are forgotten. Standard fields are refused. Bulk operations, exports, and campaigns whose recipients are being fixed, end if they go on by a condition that asks it. If the call is interrupted, repeat it.',
    errors: ['VALIDATION_ERROR', 'SERVICE_UNAVAILABLE'],
  }),
]
