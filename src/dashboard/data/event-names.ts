import { useQuery } from 'urql'
import { EventNamesDocument } from '../graphql/graphql.ts'

/** The names of the events that have happened, most frequent first. */
export function useEventNames(): string[] {
  const [{ data }] = useQuery({ query: EventNamesDocument })
  return data?.eventNames ?? []
}
