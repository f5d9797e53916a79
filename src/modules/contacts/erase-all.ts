import { type Executor, statement } from '../../kit/db.ts'

const contactsAtOnce = 2_000

const removeContacts = statement<{ count: number }>(
  'contacts_remove_some',
  `with gone as (
     delete from contacts where project_id = $1 and id in (select id from contacts where project_id = $1 order by id limit $2) returning id)
   select count(*)::int as count from gone`,
)
const removeFields = statement<{ count: number }>(
  'contacts_remove_fields',
  'with gone as (delete from contact_fields where project_id = $1 returning key) select count(*)::int as count from gone',
)

/** Removes one batch of a project's contacts, and any mail they still have; answers how many, 0 when none is left. */
export async function eraseSomeContacts(on: Executor, projectId: string): Promise<number> {
  return (await on.run(removeContacts, [projectId, contactsAtOnce]))[0]?.count ?? 0
}

/** Forgets the types of a project's custom fields; answers how many. */
export async function eraseFields(on: Executor, projectId: string): Promise<number> {
  return (await on.run(removeFields, [projectId]))[0]?.count ?? 0
}
