import { useMemo } from 'react'
import type { Comparable } from '../../../../data/operators.ts'
import { useRead } from '../../../../data/read.ts'
import { WorkflowFieldsDocument } from '../../../../graphql/graphql.ts'

/** The data of an event, as its newest ones have it; at most 100 fields. */
export function useEventFields(eventName: string | undefined): Comparable[] {
  const [{ data }] = useRead({ query: WorkflowFieldsDocument, variables: { eventName, first: 100 } })
  return useMemo(() => data?.workflowFields.nodes.filter(({ category }) => category === 'EVENT_DATA') ?? [], [data])
}
