import { getPriority } from 'node:os'
import { expect, test } from 'vitest'
import { statement } from '../../../src/kit/postgres/db.ts'
import { testWorld } from '../../help/world.ts'

const world = await testWorld()
const backend = statement<{ pid: number }>('test_backend', 'select pg_backend_pid() as pid', {
  allProjects: 'a test looks at its connection',
})

test.runIf(process.platform === 'linux')('scans give way to everything else on the machine of the database', async () => {
  const [scan] = await world.db.scans.run(backend, [])
  const [other] = await world.db.run(backend, [])
  const [lookup] = await world.db.lookups.run(backend, [])
  expect([scan, other, lookup].map((row) => getPriority(row?.pid))).toEqual([10, 0, 0])
})
