import type { OperationResult } from '@urql/core'
import { useEffect, useState } from 'react'
import { useClient } from 'urql'
import { words } from '../../data/format.ts'
import { TemplateVariablesDocument, type TemplateVariablesQuery } from '../../graphql/graphql.ts'
import type { Variable } from './language.ts'

const always: Variable[] = [
  { path: 'email', detail: 'Address of the contact' },
  { path: 'subscribed', detail: 'Whether they want marketing email' },
  { path: 'locale', detail: 'Language, such as de' },
  { path: 'id', detail: 'Id of the contact' },
  { path: 'unsubscribeUrl', detail: 'Page to unsubscribe' },
  { path: 'subscribeUrl', detail: 'Page to subscribe again' },
  { path: 'manageUrl', detail: 'Page to manage the subscription' },
]

/** What templates of the project can print: the custom fields of its contacts, and what every email has. */
export function useVariables(): Variable[] {
  const client = useClient()
  const [variables, setVariables] = useState<Variable[]>(always)
  useEffect(() => {
    let ended = false
    const read = async () => {
      const found: Variable[] = []
      for (let after: string | null | undefined = null; after !== undefined && !ended; ) {
        const answer: OperationResult<TemplateVariablesQuery> = await client.query(TemplateVariablesDocument, { after })
        const { nodes = [], pageInfo } = answer.data?.contactFields ?? {}
        for (const { field, type, isCustom } of nodes) {
          if (isCustom) found.push({ path: field.replace(/^data\./, ''), detail: words(type) })
        }
        after = pageInfo?.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined
      }
      if (!ended) setVariables([...found, ...always])
    }
    void read()
    return () => {
      ended = true
    }
  }, [client])
  return variables
}
