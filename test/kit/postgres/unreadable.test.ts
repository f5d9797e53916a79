import type { Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { openPools } from '../../../src/kit/postgres/pools.ts'
import { freshDatabase } from '../../help/world.ts'

test.each(['main', 'transactions', 'lookups', 'scans', 'prisma'] as const)(
  'an answer that the driver cannot take in fails its statement and ends its connection, of the pool %s, and nothing else',
  async (name) => {
    const lost = vi.fn()
    const pools = openPools(await freshDatabase(), 2, lost, 60_000)
    const pool = pools[name]
    const client = await pool.connect()
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
    const waiting = client.query('select pg_sleep(60)')
    // Where the driver would throw ERR_STRING_TOO_LONG: nobody could catch it.
    stream.emit('data', undefined)
    await expect(waiting).rejects.toThrow()
    expect(stream.destroyed).toBe(true)
    client.release(true)
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    expect(lost).not.toHaveBeenCalled()
    await Promise.all(Object.values(pools).map((each) => each.end()))
  },
)
