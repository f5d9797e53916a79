import { useMemo } from 'react'
import { useQuery } from 'urql'
import type { Comparable } from '../../../../data/operators.ts'
import { WorkflowFieldsDocument } from '../../../../graphql/graphql.ts'

/** The data of an event, as its newest ones have it; at most 100 fields. */
export function useEventFields(eventName: string | undefined): Comparable[] {
  const [{ data }] = useQuery({ query: WorkflowFieldsDocument, variables: { eventName, first: 100 } })
  return useMemo(() => data?.workflowFields.nodes.filter(({ category }) => category === 'EVENT_DATA') ?? [], [data])
}
