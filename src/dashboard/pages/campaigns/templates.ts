import type { Client } from '@urql/core'
import { FindTemplatesDocument } from '../../graphql/graphql.ts'

/** The newest templates whose name, description or subject contains a text, at most 8. */
export async function findTemplates(client: Client, search: string): Promise<{ id: string; name: string }[]> {
  const { data } = await client.query(FindTemplatesDocument, { search })
  return data?.templates.nodes ?? []
}
