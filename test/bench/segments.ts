// Measures the computation of a tracked segment in which one in a hundred contacts changes, against its count. At full size:
// --contacts=1000000.
import pg from 'pg'
import { callIn } from '../../src/kit/context.ts'
import { countMatches } from '../../src/modules/filters/filters.ts'
import { membershipIn } from '../../src/modules/filters/membership.ts'
import { createSegment } from '../../src/modules/segments/segments.ts'
import { computeSegment } from '../../src/modules/segments/tracking/compute.ts'
import { fillContacts } from './audience.ts'
import { size } from './flags.ts'
import { benchWorld, startBenchPostgres } from './postgres.ts'
import { type Figure, median, record } from './results.ts'

const contacts = size('contacts', 100_000)
const rounds = size('rounds', 5)
const condition = { field: 'data.orders', operator: 'greaterThanOrEqual' as const, value: 0 }
const began = new Date()

await using open = new AsyncDisposableStack()
const postgres = open.adopt(await startBenchPostgres(), (it) => it.end())
const { url, appSecret, projectId } = await postgres.seed('segments')
const client = open.adopt(new pg.Client({ connectionString: url }), (it) => it.end())
await client.connect()
await client.query('delete from contacts where project_id = $1', [projectId])
await client.query('drop index contacts_search')
await client.query(fillContacts, [projectId, began, contacts])
await client.query('create index contacts_search on contacts using gin (project_id, email gin_trgm_ops)')
await client.query('vacuum analyze contacts')
const world = open.adopt(await benchWorld(url, appSecret), (it) => it.close())
const ctx = callIn(world, { projectId, actor: { kind: 'system' } })
const { id } = await createSegment(ctx, { name: 'All', condition, trackMembership: true })

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const start = performance.now()
  const result = await work()
  return { ms: performance.now() - start, result }
}

const first = await timed(() => computeSegment(ctx, { id }))
await client.query('vacuum analyze segment_members')
await postgres.checkpoint()
const took = { count: [] as number[], unchanged: [] as number[], changed: [] as number[] }
for (let round = 0; round < rounds; round++) {
  // Half of one in a hundred contacts leaves in one round and comes back in the next, in which another half leaves.
  const moved = `update contacts set data = jsonb_set(data, '{orders}', (case when substring(id from 5)::bigint % 200 = $2 then '-1' else '1' end)::jsonb)
    where project_id = $1 and substring(id from 5)::bigint % 200 in ($2, $3)`
  const { rowCount } = await client.query(moved, [projectId, round, round === 0 ? 0 : round - 1])
  await client.query('vacuum analyze contacts')
  await postgres.checkpoint()
  took.count.push((await timed(() => countMatches(ctx, { condition, membership: membershipIn(ctx) }))).ms)
  const changed = await timed(() => computeSegment(ctx, { id }))
  if (changed.result.added + changed.result.removed !== rowCount) throw new Error('Other members were written than those that changed')
  if (round > 0) took.changed.push(changed.ms)
  took.unchanged.push((await timed(() => computeSegment(ctx, { id }))).ms)
}

const ms = (value: number): string => `${value.toFixed(0)} ms`
const count = median(took.count)
const line = (what: string, value: number, bar: string): Figure => ({
  what,
  ours: ms(value),
  yardstick: ms(count),
  ratio: (count / value).toFixed(2),
  bar,
})
await record(
  'segments',
  'Computing a tracked segment',
  `A segment of all ${contacts.toLocaleString('en')} contacts; the median of ${rounds} rounds. The yardstick is the count of the same condition.`,
  [
    line('nothing changed', median(took.unchanged), '≥ 0.33'),
    line('one in a hundred contacts entered or left', median(took.changed), '≥ 0.33'),
    { what: 'all of them enter, contacts/s', ours: String(Math.round(contacts / (first.ms / 1_000))), yardstick: '', ratio: '', bar: '' },
  ],
  postgres.version,
)
