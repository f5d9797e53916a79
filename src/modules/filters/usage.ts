import { endOfTurn } from '../../kit/batch.ts'
import type { Ctx } from '../../kit/context.ts'
import { readerOfProjects } from '../../kit/load.ts'
import { perWorld } from '../../kit/world.ts'
import { eventsAskedBy } from './fields.ts'
import { type AskedFields, selectAskedFields } from './sql.ts'

/** Something whose condition asks a field. */
export interface User {
  id: string
  name: string
}

/** What asks a field, newest first. */
export interface Uses {
  usedInSegments: User[]
  usedInCampaigns: User[]
  usedInWorkflows: User[]
}

type Call = Pick<Ctx, 'world' | 'projectId'>

/** Who asks what in a project, in the order of the rows. */
interface Index {
  /** The fields that are asked, sorted. */
  fields: string[]
  byField: Map<string, Asker[]>
  /** By the names of events that the fields ask for. */
  byEvent: Map<string, Asker[]>
}

type Asker = Pick<AskedFields, 'kind' | 'id' | 'name'> & { at: number }

const maxAtOnce = 500
const readAskedFields = readerOfProjects(async ({ world, projectId }, asking: Call[]): Promise<AskedFields[][]> => {
  const rows = await world.db.run(selectAskedFields, [[projectId]])
  return asking.map(() => rows)
}, maxAtOnce)
const indexes = perWorld(() => new Map<string, Promise<Index>>())

// All calls of one turn of the event loop share one statement and one index, as the fields of a list do.
function indexOf(ctx: Call): Promise<Index> {
  const opened = indexes(ctx.world)
  const shared = opened.get(ctx.projectId)
  if (shared) return shared
  const index = endOfTurn().then(async () => {
    opened.delete(ctx.projectId)
    return indexed(await readAskedFields(ctx, ctx))
  })
  opened.set(ctx.projectId, index)
  return index
}

function indexed(rows: AskedFields[]): Index {
  const byField = new Map<string, Asker[]>()
  const byEvent = new Map<string, Asker[]>()
  for (const [at, { kind, id, name, fields }] of rows.entries()) {
    const user = { kind, id, name, at }
    for (const field of new Set(fields)) listOf(byField, field).push(user)
    for (const event of new Set(fields.flatMap(eventsAskedBy))) listOf(byEvent, event).push(user)
  }
  return { fields: [...byField.keys()].sort(), byField, byEvent }
}

function listOf(map: Map<string, Asker[]>, key: string): Asker[] {
  const list = map.get(key) ?? []
  map.set(key, list)
  return list
}

/** What asks custom data by its key, also a part of it by a path; or a field that every contact has, by its name. */
export async function listUsesOfField(ctx: Call, field: string): Promise<Uses> {
  const { fields, byField } = await indexOf(ctx)
  const below = field.startsWith('data.') ? between(fields, `${field}.`, `${field}/`) : []
  return usesOf([field, ...below].flatMap((asked) => byField.get(asked) ?? []))
}

/** What asks when an event of a name last happened; of events of emails in any of the spellings that conditions have for them. */
export async function listUsesOfEvent(ctx: Call, name: string): Promise<Uses> {
  return usesOf((await indexOf(ctx)).byEvent.get(name) ?? [])
}

/** Whether nothing asks it. */
export function isUnused(uses: Record<keyof Uses, readonly unknown[]>): boolean {
  return uses.usedInSegments.length + uses.usedInCampaigns.length + uses.usedInWorkflows.length === 0
}

function usesOf(users: Asker[]): Uses {
  const inOrder = [...new Set(users)].sort((one, other) => one.at - other.at)
  const of = (wanted: Asker['kind']): User[] => inOrder.flatMap(({ kind, id, name }) => (kind === wanted ? { id, name } : []))
  return { usedInSegments: of('segment'), usedInCampaigns: of('campaign'), usedInWorkflows: of('workflow') }
}

// The part of a sorted list from one text up to another, which does not belong to it: nothing sorts between "." and "/".
function between(sorted: string[], from: string, to: string): string[] {
  return sorted.slice(firstAt(sorted, from), firstAt(sorted, to))
}

function firstAt(sorted: string[], text: string): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? '') < text) low = middle + 1
    else high = middle
  }
  return low
}
