import { expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { changeSubscriptions } from '../../../src/modules/contacts/bulk/sql.ts'
import { updateContact, upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { sortData } from '../../../src/modules/contacts/data.ts'
import { writeRows } from '../../../src/modules/contacts/import/write.ts'
import { writeContactIds } from '../../../src/modules/contacts/sql.ts'
import { contactParameters } from '../../../src/modules/contacts/write.ts'
import { appendEvents } from '../../../src/modules/events/log.ts'
import { holder } from '../../help/holder.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()
const hold = 'select 1 from contacts where project_id = $1 and id = $2 for update'

async function subscribed(ctx: Ctx, names: string[]): Promise<string[]> {
  const contacts = await Promise.all(names.map((name) => upsertContact(ctx, { email: `${name}@example.com`, subscribed: true })))
  return contacts.map(({ id }) => id)
}

/** The changes of the subscription of a contact, in the order of the log. */
async function flipsOf({ projectId }: Ctx, contactId: string): Promise<string[]> {
  const lines = await world.db.prisma.$queryRawUnsafe<{ name: string }[]>(
    `select name from events where project_id = $1 and contact_id = $2 and name like 'contact.%' order by epoch, xid, id`,
    projectId,
    contactId,
  )
  return lines.map(({ name }) => name)
}

test('a change of a contact has no place in the log while it waits for the contact', async () => {
  const { ctx, projectId } = await freshProject(world)
  const [id = ''] = await subscribed(ctx, ['ada'])
  const other = await holder(world)
  await other.run(hold, [projectId, id])
  const changed = updateContact(ctx, { id, subscribed: false })
  const pid = await other.waitedFor()
  expect(await other.run('select backend_xid from pg_stat_activity where pid = $1', [pid])).toEqual([{ backend_xid: null }])
  await other.commit()
  expect((await changed).subscribed).toBe(false)
  expect(await flipsOf(ctx, id)).toEqual(['contact.unsubscribed'])
})

const rows = (emails: string[]) => emails.map((email, at) => ({ email, subscribed: false, patch: { set: {}, types: {} }, line: at + 2 }))

const unsubscribing: [string, (ctx: Ctx, contacts: { ids: string[]; emails: string[] }) => Promise<unknown>][] = [
  [
    'a group of live writes',
    ({ projectId }, { emails }) => {
      const common = { projectId, patch: sortData(undefined), subscribed: false, subscribedIfNew: true, source: 'track' as const }
      const writes = emails.map((email) => ({ ...common, email, keyKind: 'SECRET' as const, at: world.clock.now() }))
      return world.db.run(writeContactIds, contactParameters(world, writes))
    },
  ],
  [
    'a chunk of an import',
    ({ projectId }, { emails }) => world.db.transaction((tx) => writeRows(tx, world, { projectId, rows: rows(emails) })),
  ],
  [
    'a batch of a bulk operation',
    ({ projectId }, { ids }) =>
      world.db.transaction(async (tx) => {
        const changed = await tx.run(changeSubscriptions, [projectId, ids, false, world.clock.now()])
        const lines = changed.map(({ id }) => ({ name: 'contact.unsubscribed', contactId: id }))
        await appendEvents(tx, world, { projectId, at: world.clock.now(), lines })
      }),
  ],
]

// It has written the first contact when it waits for the second one; the third one is changed meanwhile.
test.each(unsubscribing)('the log of a contact ends with what the contact is after %s that was overtaken', async (_name, unsubscribe) => {
  const { ctx, projectId } = await freshProject(world)
  const names = ['ada', 'bob', 'cleo']
  const ids = await subscribed(ctx, names)
  const [, second = '', third = ''] = ids
  const other = await holder(world)
  await other.run(hold, [projectId, second])
  const unsubscribed = unsubscribe(ctx, { ids, emails: names.map((name) => `${name}@example.com`) })
  await other.waitedFor()
  await updateContact(ctx, { id: third, subscribed: false })
  await updateContact(ctx, { id: third, subscribed: true })
  await other.commit()
  await unsubscribed
  expect(await Promise.all(ids.map((id) => flipsOf(ctx, id)))).toEqual([
    ['contact.unsubscribed'],
    ['contact.unsubscribed'],
    ['contact.unsubscribed', 'contact.subscribed', 'contact.unsubscribed'],
  ])
  expect(await world.db.prisma.contact.count({ where: { projectId, subscribed: true } })).toBe(0)
})
