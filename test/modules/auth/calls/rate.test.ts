import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { Settings } from '../../../../src/kit/config.ts'
import { newId } from '../../../../src/kit/ids.ts'
import { randomSecret } from '../../../../src/kit/vault.ts'
import { findProjectKey } from '../../../../src/modules/auth/calls/keys.ts'
import { regenerateKeys } from '../../../../src/modules/projects/projects.ts'
import { testServer } from '../../../help/server.ts'
import { until } from '../../../help/until.ts'
import { freshProject, testWorld } from '../../../help/world.ts'

const env = { RATE_LIMIT_PER_MINUTE: '20', UNKNOWN_KEYS_PER_MINUTE: '10', TRUST_PROXY: '1' }
const { call, world } = await testServer({ env })
const other = await testServer({ world: await testWorld({ env, databaseUrl: world.databaseUrl }) })
const from = (address: string) => ({ 'x-forwarded-for': address })
let addresses = 0
const freshAddress = () => `192.0.2.${++addresses}`
const track = (key: string, address: string, at: typeof call = call) =>
  at('POST /v1/track', { email: `${newId('contact', world.clock.now())}@example.com`, event: 'seen' }, { key, headers: from(address) })

/** Statuses of so many calls, one after another. */
async function statuses(count: number, ask: () => Promise<{ status: number }>): Promise<number[]> {
  const all: number[] = []
  for (let at = 0; at < count; at++) all.push((await ask()).status)
  return all
}
const times = (count: number, status: number) => Array.from({ length: count }, () => status)

describe('the public key', () => {
  test('never uses up what the secret key needs', async () => {
    const { public: publicKey, secret } = await freshProject(world)
    const address = freshAddress()
    expect(await statuses(21, () => track(publicKey, address))).toEqual([...times(20, 200), 429])
    const first = await track(secret, address)
    expect([first.status, first.headers.get('ratelimit-remaining')]).toEqual([200, '19'])
    expect(await statuses(20, () => track(secret, address))).toEqual([...times(19, 200), 429])
    expect((await track(publicKey, freshAddress())).status).toBe(200)
  })

  test('has one window per address, an IPv6 network of a customer being one, and ten times that per project', async () => {
    const { public: publicKey } = await freshProject(world)
    expect(await statuses(20, () => track(publicKey, '2001:db8:1:2::1'))).toEqual(times(20, 200))
    const full = await track(publicKey, '2001:db8:1:2:ffff::1')
    expect([full.status, full.headers.get('ratelimit-limit')]).toEqual([429, '20'])
    expect(Number(full.headers.get('retry-after'))).toBeGreaterThan(0)
    for (let address = 0; address < 9; address++) {
      const one = freshAddress()
      expect(await statuses(20, () => track(publicKey, one))).toEqual(times(20, 200))
    }
    const last = await track(publicKey, freshAddress())
    expect([last.status, last.headers.get('ratelimit-limit')]).toEqual([429, '200'])
  })

  test('is counted over all processes also by what comes while counts are exchanged', async () => {
    const { projectId, public: publicKey } = await freshProject(world)
    const [address, lock] = [freshAddress(), new pg.Client({ connectionString: world.databaseUrl })]
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%rate_windows%'`
    await lock.connect()
    try {
      await lock.query('begin')
      await lock.query('lock table rate_windows in exclusive mode')
      expect((await track(publicKey, address)).status).toBe(200)
      await until(async () => (await world.db.prisma.$queryRawUnsafe<object[]>(waiting)).length > 0)
      expect((await track(publicKey, address)).status).toBe(200)
      await lock.query('commit')
    } finally {
      await lock.end()
    }
    await until(async () => {
      const windows = await world.db.prisma.rateWindow.findMany({ where: { projectId: `${projectId} public ${address}` } })
      return windows[0]?.requests === 2
    })
  })

  test('is counted over all processes', async () => {
    const { projectId, public: publicKey } = await freshProject(world)
    const address = freshAddress()
    for (const at of [call, other.call]) expect(await statuses(10, () => track(publicKey, address, at))).toEqual(times(10, 200))
    await until(async () => {
      const windows = await world.db.prisma.rateWindow.findMany({ where: { projectId: `${projectId} public ${address}` } })
      return windows[0]?.requests === 20
    })
    await until(
      async () => (await track(publicKey, address)).status === 429 && (await track(publicKey, address, other.call)).status === 429,
    )
  })
})

describe('unknown keys', () => {
  const unknown = () => `sk_${randomSecret()}`
  const ask = (key: string, address: string, at: typeof call = call) => at('GET /templates', undefined, { key, headers: from(address) })

  test('of one address are refused beyond the limit; keys seen before and other addresses are not', async () => {
    const [{ secret }, later] = [await freshProject(world), await freshProject(world)]
    const address = freshAddress()
    expect((await ask(secret, address)).status).toBe(200)
    expect(await statuses(11, () => ask(unknown(), address))).toEqual([...times(10, 401), 429])
    expect((await ask(secret, address)).status).toBe(200)
    expect((await ask(later.secret, freshAddress())).status).toBe(200)
    const graph = await call('POST /graphql', { query: '{ __typename }' }, { key: unknown(), headers: from(address) })
    expect([graph.status, graph.body.errors[0].extensions.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    world.clock.turn(60_000)
    expect((await ask(unknown(), address)).status).toBe(401)
    world.clock.turn(-60_000)
  })

  test('that come at once are looked up only as long as the limit allows', async () => {
    const address = freshAddress()
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(unknown(), address)))
    const refused = answers.filter(({ status }) => status === 401).length
    expect(refused).toBeGreaterThanOrEqual(10)
    expect(refused).toBeLessThan(10 + 8)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(100 - refused)
  })

  test('that come at once, all before the first of them is found unknown, are looked up only as long as the limit allows', async () => {
    const network = freshAddress()
    const lookUps = Array.from({ length: 100 }, () => findProjectKey(world, unknown(), network))
    const found = (await Promise.allSettled(lookUps)).filter(({ status }) => status === 'fulfilled').length
    expect(found).toBeGreaterThanOrEqual(10)
    expect(found).toBeLessThan(10 + 8)
  })

  test('the setting says that different ones count', () => {
    expect(Settings.shape.UNKNOWN_KEYS_PER_MINUTE.description).toMatch(/^Different unknown API keys per minute/)
  })

  test('that were valid until they were rotated count as well', async () => {
    const [{ ctx, secret, projectId }, other] = [await freshProject(world), await freshProject(world)]
    const address = freshAddress()
    expect((await ask(secret, address)).status).toBe(200)
    await regenerateKeys(ctx, { id: projectId })
    expect(await statuses(2, () => ask(secret, address))).toEqual([401, 401])
    expect(await statuses(10, () => ask(unknown(), address))).toEqual([...times(9, 401), 429])
    const refused = await ask(other.secret, address)
    expect([refused.status, refused.body.error.message]).toEqual([
      429,
      expect.stringMatching(
        /^This address has sent 10 different API keys that do not exist within this minute: keys from it are refused, unless they have been used here before\. Try again in \d+ seconds?\.$/,
      ),
    ])
  })

  test('count once each also when several calls with it come at once', async () => {
    const [key, network, { secret }] = [unknown(), freshAddress(), await freshProject(world)]
    expect(await Promise.all(Array.from({ length: 8 }, () => findProjectKey(world, key, network)))).toEqual(Array(8).fill(null))
    expect(await statuses(10, () => ask(unknown(), network))).toEqual([...times(9, 401), 429])
    expect((await ask(key, network)).status).toBe(401)
    expect((await ask(secret, network)).status).toBe(429)
  })

  test('count once each: a program that goes on with an old key locks out nobody of its address', async () => {
    const [key, address, { secret }] = [unknown(), freshAddress(), await freshProject(world)]
    expect(await statuses(30, () => ask(key, address))).toEqual(times(30, 401))
    expect((await ask(secret, address)).status).toBe(200)
    expect(await statuses(10, () => ask(unknown(), address))).toEqual([...times(9, 401), 429])
  })
})
