import { expect, test } from 'vitest'
import type { Ctx } from '../../../src/kit/context.ts'
import { upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { writeRows } from '../../../src/modules/contacts/import/write.ts'
import { holder } from '../../help/holder.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()
const email = 'ada@example.com'

const writes: [string, (ctx: Ctx) => Promise<unknown>][] = [
  ['a live write', (ctx) => upsertContact(ctx, { email, data: { city: 'Paris' } })],
  [
    'a chunk of an import',
    ({ projectId }) => {
      const rows = [{ email, subscribed: null, patch: { set: { city: 'Paris' }, types: { city: 'string' as const } }, line: 2 }]
      return world.db.transaction((tx) => writeRows(tx, world, { projectId, rows }))
    },
  ],
]

// Writes of one order never wait for each other in a circle.
test.each(writes)('%s waits for the count of fields before it takes the count of contacts', async (_name, write) => {
  const { ctx, projectId } = await freshProject(world)
  await upsertContact(ctx, { email: 'first@example.com', data: { plan: 'pro' } })
  const other = await holder(world)
  await other.run('select 1 from contact_field_counts where project_id = $1 for update', [projectId])
  const written = write(ctx)
  await other.waitedFor()
  // In every slot, because a connection has its own. Less time than until Postgres ends a deadlock, after which the write would be repeated.
  await other.run("set local lock_timeout = '200ms'")
  await other.run(
    `insert into contact_counts as n (project_id, slot, count) select $1, slot, 0 from generate_series(0, 63) slot
     on conflict (project_id, slot) do update set count = n.count`,
    [projectId],
  )
  await other.commit()
  await written
  expect(await world.db.prisma.contact.count({ where: { projectId } })).toBe(2)
})
