import { expect, test } from 'vitest'
import { type BodyRow, readBodies, readFirstBodies } from '../../src/kit/bodies.ts'
import { Failure } from '../../src/kit/errors.ts'
import { statement } from '../../src/kit/postgres/db.ts'
import { testWorld } from '../help/world.ts'

const world = await testWorld()
const reader = { db: world.db, projectId: 'prj_bodies' }

// Rows without a table: an id is the size of its body. Reading larger ones than asked for is an error.
const select = statement<BodyRow>(
  'test_bodies',
  `select n::text as id, n as bytes, case when sum(n) over () <= $3 then repeat('x', n / case when $3 > 262144 and n = 777777 then 0 else 1 end) end as body
   from unnest($2::int[]) n where $1::text is not null order by n desc`,
  { allProjects: 'reads no table' },
)

test('the sizes are compared before any body is read, and one body is read whatever its size', async () => {
  await expect(readBodies(reader, ['2200000', '2200001'], { select })).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
  expect([...(await readBodies(reader, ['5000000'], { select })).keys()]).toEqual(['5000000'])
  expect((await readBodies(reader, ['100', '200'], { select })).get('200')?.body).toBe('x'.repeat(200))
})

test('room is taken for all copies before large bodies are read, and not for small ones', async () => {
  const taken: number[] = []
  const takeRoom = (bytes: number) => void taken.push(bytes)
  await readBodies({ ...reader, takeRoom }, ['1000000', '2000000'], { select, copies: 2 })
  await readBodies({ ...reader, takeRoom }, ['1000'], { select })
  expect(taken).toEqual([6_000_000])
  const noRoom = () => {
    throw new Failure('SERVICE_UNAVAILABLE')
  }
  await expect(readBodies({ ...reader, takeRoom: noRoom }, ['777777'], { select })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

test('of those that fail each by itself, the first one and 4 MB are read', async () => {
  const lengths = async (...ids: string[]) => (await readFirstBodies(reader, ids, { select })).map(({ body }) => body?.length ?? null)
  expect(await lengths('3000000', '2000000', '1000000')).toEqual([3_000_000, null, null])
  expect(await lengths('5000000', '100')).toEqual([5_000_000, null])
  const more = await readFirstBodies(reader, ['3000000', '2000000', '1000000'], { select, maxBytes: 5_000_000 })
  expect(more.map(({ body }) => body?.length ?? null)).toEqual([3_000_000, 2_000_000, null])
  expect(await lengths('100', '200')).toEqual([200, 100])
})
