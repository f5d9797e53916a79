import { expect, test } from 'vitest'
import { statement } from '../../../../src/kit/postgres/db.ts'
import { advanceReader, type LogReader } from '../../../../src/modules/events/reader/reader.ts'
import { logEvents } from '../../../help/lines.ts'
import { freshProject, logSettled, testWorld } from '../../../help/world.ts'

const world = await testWorld()
const { projectId } = await freshProject(world)
const across = { allProjects: 'a test reads its own database' }
const linesFrom = statement<{ count: number }>(
  'lines_from',
  'select count(*)::int as count from log_readers r join events e on e.epoch = r.epoch and e.xid >= r.xid where r.reader = $1',
  across,
)

test.each([50, 48])('a reader at the end of a transaction of %i lines has it behind itself, and reads what follows', async (count) => {
  let lines = 0
  const reader: LogReader = {
    name: `rest ${count}`,
    maxLines: 8,
    startsAt: 'end',
    handle: async (_tx, range) => {
      lines += range.count
    },
  }
  const append = async (some: number) => {
    await logEvents(
      world,
      projectId,
      Array.from({ length: some }, (_, at) => ({ name: `line ${at}` })),
    )
    await logSettled(world)
    while (await advanceReader(world, reader));
  }
  await advanceReader(world, reader)
  await append(count)
  // The index holds the lines of a transaction as one entry: of its newest line on, all of them would be read at each look.
  expect(await world.db.run(linesFrom, [reader.name])).toEqual([{ count: 0 }])
  await append(1)
  expect(lines).toBe(count + 1)
})
