import { checkNothingStoredIsShown } from './contract.ts'
import type { TypedDocumentString } from './graphql/graphql.ts'

/** The answer to a GraphQL request. */
export interface Reply<Data> {
  status: number
  headers: Headers
  data: Data | null
  errors: {
    message: string
    path?: (string | number)[]
    extensions: { code: string; statusCode: number; requestId: string; [more: string]: unknown }
  }[]
  extensions: { cost?: { requested: number; limit: number } }
}

/** Sends operations to a server over HTTP: documents of `graphql(…)` with their types, or plain text. */
export function asker(url: string, key?: string) {
  return async <Data = Record<string, never>, Variables = Record<string, unknown>>(
    document: TypedDocumentString<Data, Variables> | string,
    variables?: Variables,
    headers: Record<string, string> = {},
  ): Promise<Reply<Data>> => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
      body: JSON.stringify({ query: document.toString(), variables }),
    })
    const text = await response.text()
    checkNothingStoredIsShown(document.toString(), text)
    const answer = JSON.parse(text) as Partial<Reply<Data>>
    return { data: null, errors: [], extensions: {}, ...answer, status: response.status, headers: response.headers }
  }
}
