import { endOfTurn } from '../../kit/batch.ts'
import type { Ctx } from '../../kit/context.ts'
import { perWorld } from '../../kit/world.ts'
import { fieldsAskingEvent } from './fields.ts'
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

/** Who asks some fields in a project, in the order of the rows. */
interface Index {
  /** The fields that are asked, sorted. */
  fields: string[]
  byField: Map<string, Asker[]>
}

type Asker = Pick<AskedFields, 'kind' | 'id' | 'name'> & { at: number }

/** The fields that calls of one turn ask about, and what asks these. */
interface Turn {
  wanted: Set<string>
  index: Promise<Index>
}

const turns = perWorld(() => new Map<string, Turn>())

// All calls of one turn of the event loop share one statement and one index, as the fields of a list do. It takes the turns of lists, because
// it looks at all that a project asks.
function indexOf({ world, projectId }: Call, fields: readonly string[]): Promise<Index> {
  const open = turns(world)
  const turn = open.get(projectId) ?? beginTurn({ world, projectId }, open)
  for (const field of fields) turn.wanted.add(field)
  return turn.index
}

function beginTurn({ world, projectId }: Call, open: Map<string, Turn>): Turn {
  const wanted = new Set<string>()
  const index = endOfTurn().then(async () => {
    open.delete(projectId)
    return indexed(await world.db.lists.run(selectAskedFields, [projectId, [...wanted]]))
  })
  const turn = { wanted, index }
  open.set(projectId, turn)
  return turn
}

function indexed(rows: AskedFields[]): Index {
  const byField = new Map<string, Asker[]>()
  for (const [at, { kind, id, name, fields }] of rows.entries())
    for (const field of new Set(fields)) listOf(byField, field).push({ kind, id, name, at })
  return { fields: [...byField.keys()].sort(), byField }
}

function listOf(map: Map<string, Asker[]>, key: string): Asker[] {
  const list = map.get(key) ?? []
  map.set(key, list)
  return list
}

/** What asks custom data by its key, also a part of it by a path; or a field that every contact has, by its name. */
export async function listUsesOfField(ctx: Call, field: string): Promise<Uses> {
  const { fields, byField } = await indexOf(ctx, [field])
  const below = field.startsWith('data.') ? between(fields, `${field}.`, `${field}/`) : []
  return usesOf([field, ...below].flatMap((asked) => byField.get(asked) ?? []))
}

/** What asks when an event of a name last happened; of events of emails in any of the spellings that conditions have for them. */
export async function listUsesOfEvent(ctx: Call, name: string): Promise<Uses> {
  const fields = fieldsAskingEvent(name)
  const { byField } = await indexOf(ctx, fields)
  return usesOf(fields.flatMap((field) => byField.get(field) ?? []))
}

/** Whether nothing asks it. */
export function isUnused(uses: Record<keyof Uses, readonly unknown[]>): boolean {
  return uses.usedInSegments.length + uses.usedInCampaigns.length + uses.usedInWorkflows.length === 0
}

function usesOf(users: Asker[]): Uses {
  const inOrder = [...new Map(users.map((user) => [user.at, user])).values()].sort((one, other) => one.at - other.at)
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
