import type { Ctx } from '../../kit/context.ts'
import { rowsOfProjects } from '../../kit/load.ts'
import { asksEvent } from './fields.ts'
import { selectAskedFields } from './sql.ts'

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

// Concurrent calls are one statement.
const askedFields = rowsOfProjects(selectAskedFields)

/** What asks custom data by its key, also a part of it by a path; or a field that every contact has, by its name. */
export async function listUsesOfField(ctx: Call, field: string): Promise<Uses> {
  return listUses(ctx, (asked) => asked === field || (field.startsWith('data.') && asked.startsWith(`${field}.`)))
}

/** What asks when an event of a name last happened; of events of emails in any of the spellings that conditions have for them. */
export async function listUsesOfEvent(ctx: Call, name: string): Promise<Uses> {
  return listUses(ctx, (asked) => asksEvent(asked, name))
}

/** Whether nothing asks it. */
export function isUnused(uses: Uses): boolean {
  return uses.usedInSegments.length + uses.usedInCampaigns.length + uses.usedInWorkflows.length === 0
}

async function listUses(ctx: Call, asks: (field: string) => boolean): Promise<Uses> {
  const users = (await askedFields(ctx)).filter(({ fields }) => fields.some(asks))
  const of = (wanted: string): User[] => users.flatMap(({ kind, id, name }) => (kind === wanted ? { id, name } : []))
  return { usedInSegments: of('segment'), usedInCampaigns: of('campaign'), usedInWorkflows: of('workflow') }
}
