import { eraser } from '../../kit/postgres/erase.ts'

/** Removes one batch of a project's contacts, and any mail they still have; answers how many, 0 when none is left. */
export const eraseSomeContacts = eraser('contacts', 'id', 2_000)

/** Forgets one batch of the types of a project's custom fields; answers how many, 0 when none is left. */
export const eraseSomeFields = eraser('contact_fields', 'key', 2_000)
