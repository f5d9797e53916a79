import { beforeAll, expect, test } from 'vitest'
import { newId } from '../../../src/kit/ids.ts'
import { listEvents } from '../../../src/modules/events/events.ts'
import { freshProject, testWorld } from '../../help/world.ts'

const world = await testWorld({ running: true })
const { projectId, ctx } = await freshProject(world)
const lines = 7

beforeAll(async () => {
  const ids = Array.from({ length: lines }, () => newId('event', new Date()))
  await world.db.prisma.$executeRawUnsafe(
    `insert into events (project_id, id, name, created_at, data) select $1, id, 'long', now(), jsonb_build_object('text', repeat('x', 900000)) from unnest($2::text[]) id`,
    projectId,
    ids,
  )
})

test('a page of long events ends after about 4 MB, and the next one continues', async () => {
  const first = await listEvents(ctx, { limit: 100 })
  expect([first.data.length, first.hasMore, first.total]).toEqual([5, true, lines])
  const second = await listEvents(ctx, { limit: 100, cursor: first.cursor ?? '' })
  expect([second.data.length, second.hasMore, second.cursor]).toEqual([2, false, null])
  expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(lines)
  expect(Object.keys(first.data[0] ?? {}).toSorted()).toEqual(['contactId', 'createdAt', 'data', 'emailId', 'id', 'name'])
})
