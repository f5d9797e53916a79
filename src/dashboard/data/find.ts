import type { Client } from '@urql/core'
import { FindCampaignsDocument, FindContactsDocument, FindTemplatesDocument } from '../graphql/graphql.ts'

/** Something of the project with the name people know it by. */
export interface Named {
  id: string
  name: string
}

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
