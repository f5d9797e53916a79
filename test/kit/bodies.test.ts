import { expect, test } from 'vitest'
import { type BodyRow, bodyLoader, readBodies, readFirstBodies } from '../../src/kit/bodies.ts'
import { Failure } from '../../src/kit/errors.ts'
import { statement } from '../../src/kit/postgres/db.ts'
import { queriesOf } from '../help/queries.ts'
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
  expect(await lengths('100', '200')).toEqual([100, 200])
  expect(await lengths('1000000', '2000000', '3000000')).toEqual([1_000_000, 2_000_000, null])
})

test('sizes may be estimates: bodies are read by them in pieces of 4 MB and counted as they are, and the room that is too much is given back', async () => {
  const estimated = {
    ...select,
    name: 'test_estimated',
    text: select.text.replace('n as bytes', 'n * 3 as bytes').replace('sum(n)', 'sum(n * 3)'),
  }
  const taken: number[] = []
  const ids = ['1000005', '1000004', '1000003', '1000002', '1000001']
  const { reply, queries } = await queriesOf(
    () => readFirstBodies({ ...reader, takeRoom: (bytes) => void taken.push(bytes) }, ids, { select: estimated }),
    /n \* 3 as bytes/,
  )
  expect(reply.map(({ id, body }) => [id, body?.length ?? null])).toEqual([
    ['1000005', 1_000_005],
    ['1000004', 1_000_004],
    ['1000003', 1_000_003],
    ['1000002', 1_000_002],
    ['1000001', null],
  ])
  expect([queries, taken.slice(0, 2), taken.reduce((sum, bytes) => sum + bytes, 0)]).toEqual([6, [3_000_015, -2_000_010], 4_000_014])
})

test('a row that is removed after its size was read has no body, and is not too large', async () => {
  const vanishing = {
    ...select,
    name: 'test_vanishing',
    text: `${select.text.replace('where $1::text is not null', 'where $1::text is not null and (n <> 1000002 or $3 <= 262144)')}`,
  }
  const load = bodyLoader({ select: vanishing })
  const call = { ...reader, world, answer: {} }
  const found = await Promise.all(['1000001', '1000002', '1000003'].map((id) => load(call, { id })))
  expect(found.map((body) => body?.length ?? null)).toEqual([1_000_001, null, 1_000_003])
})

// Each is larger by 400,000 when its body is read than its size was before.
const growing = {
  ...select,
  name: 'test_growing',
  text: select.text.replace('sum(n)', 'sum(n + case when $3 > 262144 then 400000 else 0 end)').replace("'x', n /", "'x', (n + 400000) /"),
}

test('rows that have grown since their sizes were read are no rows that were removed: a single one is read, several are too large', async () => {
  const single = await readBodies(reader, ['4000000'], { select: growing })
  expect(single.get('4000000')?.body).toHaveLength(4_400_000)
  await expect(readBodies(reader, ['1200000', '1200001', '1200002'], { select: growing })).rejects.toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
  })
})

test('of rows that have grown and fail each by itself, the first one and 4 MB are read as they are, and the room is what these take', async () => {
  let taken = 0
  const takeRoom = (bytes: number): void => {
    taken += bytes
  }
  const lengths = async (...ids: string[]) =>
    (await readFirstBodies({ ...reader, takeRoom }, ids, { select: growing })).map(({ body }) => body?.length ?? null)
  expect(await lengths('1200002', '1200001', '1200000')).toEqual([1_600_002, 1_600_001, null])
  expect(taken).toBe(3_200_003)
  expect(await lengths('4100000', '4000000')).toEqual([4_500_000, null])
})
