import { describe, expect, test } from 'vitest'
import { statement } from '../../../src/kit/postgres/db.ts'
import { deleteContact, upsertContact } from '../../../src/modules/contacts/contacts.ts'
import { sortData } from '../../../src/modules/contacts/data.ts'
import { hasOptedOut, writeContacts } from '../../../src/modules/contacts/sql.ts'
import { type ContactWrite, contactParameters } from '../../../src/modules/contacts/write.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld()
const email = 'ada@example.com'

const found = statement<object>(
  'test_found',
  `select c.subscribed, ${hasOptedOut('c')} as "optedOut",
     coalesce((select json_agg(e.name order by e.id) from events e where e.project_id = $1 and e.contact_id = c.id), '[]') as lines
   from contacts c where c.project_id = $1 and c.deleted_at is null`,
)

type Say = Pick<ContactWrite, 'source' | 'subscribed'>
const says: Say[] = (['api', 'track', 'send'] as const).flatMap((source) =>
  [null, false, true].map((subscribed) => ({ source, subscribed })),
)
const nameOf = ({ source, subscribed }: Say): string => `${source} ${subscribed ?? 'nothing'}`

const starts: Record<string, (projectId: string) => Promise<unknown>> = {
  'an address without a contact': async () => undefined,
  'an address whose deleted contact had opted out': async (projectId) => {
    const { ctx } = contextOf(projectId)
    const { id } = await upsertContact(ctx, { email })
    await upsertContact(ctx, { email, subscribed: false })
    await deleteContact(ctx, { id })
  },
  'a subscribed contact': (projectId) => upsertContact(contextOf(projectId).ctx, { email }),
  'a contact that is not subscribed': (projectId) => upsertContact(contextOf(projectId).ctx, { email, subscribed: false }),
}

const contexts = new Map<string, Awaited<ReturnType<typeof freshProject>>>()
const contextOf = (projectId: string) => contexts.get(projectId) as Awaited<ReturnType<typeof freshProject>>

/** What becomes of the contact when it is written in groups. */
async function written(start: string, groups: Say[][]) {
  const project = await freshProject(world)
  const { projectId } = project
  contexts.set(projectId, project)
  await starts[start]?.(projectId)
  const write = ({ source, subscribed }: Say): ContactWrite => ({
    ...{ projectId, email, patch: sortData({}), subscribed, subscribedIfNew: source !== 'send', source },
    ...{ keyKind: 'SECRET' as const, at: world.clock.now() },
  })
  for (const group of groups) await world.db.run(writeContacts, contactParameters(world, group.map(write)))
  return world.db.run(found, [projectId])
}

describe.each(Object.keys(starts))(
  'writes of one group to %s have the effect, and the lines in the log, of one after the other',
  (start) => {
    test.each(says.map((say) => [nameOf(say), say] as const))('%s and then another one', async (_name, first) => {
      for (const second of says) {
        const together = await written(start, [[first, second]])
        expect([nameOf(second), together]).toEqual([nameOf(second), await written(start, [[first], [second]])])
      }
    })

    test('three', async () => {
      const some = says.filter(({ source }) => source !== 'api')
      for (const first of some) {
        const all = [first, says[2], says[4]] as Say[]
        const back = [first, says[4], says[2]] as Say[]
        for (const three of [all, back]) {
          expect([nameOf(first), await written(start, [three])]).toEqual([
            nameOf(first),
            await written(
              start,
              three.map((one) => [one]),
            ),
          ])
        }
      }
    })
  },
)
