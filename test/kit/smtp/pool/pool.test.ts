import { describe, expect, test } from 'vitest'
import { createPool, type Lease, type Pool } from '../../../../src/kit/smtp/pool/pool.ts'
import { maxNotUrgent, type Priority } from '../../../../src/kit/smtp/pool/shares.ts'

interface Fake {
  ended: boolean
  lost: boolean
  shared: boolean
  dead(): boolean
  takesNext(): boolean
  end(): void
}

function fakes(max: number, idleMs = 60_000): { pool: Pool<Fake>; made: Fake[] } {
  const made: Fake[] = []
  const pool = createPool<Fake>(max, { slowMs: 60_000, patienceMs: 60_000, idleMs }, () => {
    const fake: Fake = {
      ended: false,
      lost: false,
      shared: false,
      dead: () => fake.lost,
      takesNext: () => fake.shared,
      end: () => void Object.assign(fake, { ended: true }),
    }
    made.push(fake)
    return fake
  })
  return { pool, made }
}

// What was granted so far, in order, of requests that were made one after the other.
function requests(pool: Pool<Fake>, priorities: Priority[]): { granted: number[]; leases: Promise<Lease<Fake>>[] } {
  const granted: number[] = []
  const leases = priorities.map(async (priority, at) => {
    const lease = await pool.take(priority)
    granted.push(at)
    return lease
  })
  return { granted, leases }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('the share of bulk', () => {
  test.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [7, 4],
    [8, 4],
    [10, 6],
    [100, 96],
  ])('of %i connections is %i', async (max, expected) => {
    expect(maxNotUrgent(max)).toBe(expected)
    const { pool } = fakes(max)
    const { granted } = requests(pool, new Array<Priority>(max + 5).fill('bulk'))
    await turn()
    expect(granted).toHaveLength(expected)
  })

  test('leaves the others to urgent messages, which may use all', async () => {
    const { pool } = fakes(8)
    const { granted } = requests(pool, [...new Array<Priority>(10).fill('bulk'), ...new Array<Priority>(9).fill('urgent')])
    await turn()
    expect(granted).toEqual([0, 1, 2, 3, 10, 11, 12, 13])
    const alone = requests(fakes(8).pool, new Array<Priority>(9).fill('urgent'))
    await turn()
    expect(alone.granted).toHaveLength(8)
  })
})

describe('a waiting request', () => {
  test('is one connection of each other priority while urgent messages never end, from four connections on', async () => {
    for (const [max, others] of [
      [8, ['normal', 'bulk']],
      [4, ['normal', 'bulk']],
      [1, []],
    ] as const) {
      const { pool } = fakes(max)
      const { granted, leases } = requests(pool, [...new Array<Priority>(max).fill('urgent'), 'bulk', 'bulk', 'normal', 'normal'])
      await turn()
      expect(granted).toHaveLength(max)
      const more = requests(pool, new Array<Priority>(20).fill('urgent'))
      for (const lease of leases.slice(0, Math.min(max, 3))) (await lease).release()
      await turn()
      const kinds = granted.slice(max).map((at) => (at < max + 2 ? 'bulk' : 'normal'))
      expect(kinds.toSorted()).toEqual([...others].sort())
      expect(more.granted).toHaveLength(Math.min(max, 3) - others.length)
    }
  })

  test('is granted when a connection is released: by priority, in order within one', async () => {
    const { pool, made } = fakes(2)
    const { granted, leases } = requests(pool, ['bulk', 'urgent', 'bulk', 'normal', 'urgent', 'urgent'])
    await turn()
    expect(granted).toEqual([0, 1])
    for (const next of [4, 5, 3, 2]) {
      const last = granted.at(-1) ?? 0
      const holder = next === 2 ? 3 : next === 4 ? 1 : last
      ;(await leases[holder])?.release()
      if (next === 3) (await leases[0])?.release()
      await turn()
      expect(granted.at(-1)).toBe(next)
    }
    expect(made).toHaveLength(2)
  })

  test('goes to owners in turn: one that has many requests does not hold up another', async () => {
    const { pool } = fakes(1)
    const first = await pool.take('urgent', { owner: 'large' })
    const order: string[] = []
    for (const owner of ['large', 'large', 'large', 'small'])
      void pool.take('urgent', { owner }).then((lease) => {
        order.push(owner)
        lease.release()
      })
    first.release()
    while (order.length < 4) await turn()
    expect(order).toEqual(['large', 'small', 'large', 'large'])
  })

  test('can be given up; the next one gets its turn', async () => {
    const { pool } = fakes(1)
    const first = await pool.take('urgent')
    const leaving = new AbortController()
    const left = pool.take('urgent', { signal: leaving.signal })
    const stays = pool.take('bulk')
    leaving.abort(new Error('closing'))
    await expect(left).rejects.toThrow('closing')
    await expect(pool.take('bulk', { signal: leaving.signal })).rejects.toThrow('closing')
    first.release()
    expect((await stays).connection).toBe(first.connection)
  })
})

describe('a connection whose messages may follow each other', () => {
  const shared = async (priority: Priority) => {
    const { pool, made } = fakes(1)
    const first = await pool.take(priority)
    Object.assign(first.connection, { shared: true })
    return { pool, made, first }
  }

  test('is granted to two requests for normal or bulk messages, and not to a third', async () => {
    const { pool, made, first } = await shared('bulk')
    const second = await pool.take('bulk')
    const { granted } = requests(pool, ['bulk', 'bulk'])
    await turn()
    expect([second.connection === first.connection, granted]).toEqual([true, []])
    first.release()
    await turn()
    expect([granted, made.length]).toEqual([[0], 1])
  })

  test('is no place for an urgent message, nor for one of another priority', async () => {
    const { pool } = await shared('bulk')
    const { granted } = requests(pool, ['urgent', 'normal'])
    await turn()
    expect(granted).toEqual([])
  })

  test('is left to the other one by whoever renews while it has not ended, who waits for a turn', async () => {
    const { pool, made, first } = await shared('bulk')
    const second = await pool.take('bulk')
    Object.assign(first.connection, { shared: false })
    const renewed = second.renew()
    await turn()
    expect([made.length, made[0]?.ended]).toEqual([1, false])
    Object.assign(first.connection, { lost: true })
    first.release()
    await renewed
    expect([second.connection === made[1], made[0]?.ended]).toEqual([true, true])
    second.release()
    expect((await pool.take('urgent')).connection).toBe(made[1])
  })
})

describe('a released connection', () => {
  test('is used again, once, unless it is dead', async () => {
    const { pool, made } = fakes(2)
    const first = await pool.take('bulk')
    first.release()
    first.release()
    const again = await pool.take('bulk')
    expect(again.connection).toBe(first.connection)
    again.connection.lost = true
    again.release()
    expect((await pool.take('bulk')).connection).toBe(made[1])
    expect(made.map(({ ended }) => ended)).toEqual([true, false])
  })

  test('can be replaced by a new one in its place', async () => {
    const { pool, made } = fakes(1)
    const lease = await pool.take('bulk')
    await lease.renew()
    expect([lease.connection === made[1], made[0]?.ended]).toEqual([true, true])
  })

  test('is closed with the pool, and after it', async () => {
    const { pool, made } = fakes(2)
    const [unused, used] = [await pool.take('urgent'), await pool.take('urgent')]
    unused.release()
    pool.close()
    expect(made.map(({ ended }) => ended)).toEqual([true, false])
    used.release()
    expect(made.map(({ ended }) => ended)).toEqual([true, true])
  })

  test('is closed when it was not used for a while', async () => {
    const { pool, made } = fakes(2, 1)
    ;(await pool.take('bulk')).release()
    await expect.poll(() => made[0]?.ended).toBe(true)
    expect((await pool.take('bulk')).connection).toBe(made[1])
  })
})
