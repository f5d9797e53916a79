import type { Client } from '@urql/core'
import { FindByNameDocument, FindCampaignsDocument, FindContactsDocument, FindTemplatesDocument } from '../graphql/graphql.ts'

/** Something of the project with the name people know it by. */
export interface Named {
  id: string
  name: string
}

/** What can be found by its name. */
export type NamedKind = 'Contact' | 'Campaign' | 'Template' | 'Segment' | 'Workflow'

/** The newest contacts whose address contains a text, at most 8. */
export async function findContacts(client: Client, search: string): Promise<Named[]> {
  const { data } = await client.query(FindContactsDocument, { search })
  return data?.contacts.nodes.map(({ id, email }) => ({ id, name: email })) ?? []
}

/** The newest campaigns whose name or subject contains a text, at most 8. */
export async function findCampaigns(client: Client, search: string): Promise<Named[]> {
  const { data } = await client.query(FindCampaignsDocument, { search })
  return data?.campaigns.nodes ?? []
}

/** The newest templates whose name, description or subject contains a text, at most 8. */
export async function findTemplates(client: Client, search: string): Promise<Named[]> {
  const { data } = await client.query(FindTemplatesDocument, { search })
  return data?.templates.nodes ?? []
}

/** The newest of each kind that has a text in its name, at most 5. */
export async function findByName(client: Client, search: string): Promise<(Named & { kind: NamedKind })[]> {
  const { data } = await client.query(FindByNameDocument, { search })
  if (!data) return []
  const { contacts, campaigns, templates, segments, workflows } = data
  return [
    ...contacts.nodes.map(({ id, email }) => ({ kind: 'Contact' as const, id, name: email })),
    ...campaigns.nodes.map((one) => ({ kind: 'Campaign' as const, ...one })),
    ...templates.nodes.map((one) => ({ kind: 'Template' as const, ...one })),
    ...segments.nodes.map((one) => ({ kind: 'Segment' as const, ...one })),
    ...workflows.nodes.map((one) => ({ kind: 'Workflow' as const, ...one })),
  ]
}
