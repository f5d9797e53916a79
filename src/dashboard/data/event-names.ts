import { EventNamesDocument } from '../graphql/graphql.ts'
import { useRead } from './read.ts'

/** The names of the events that have happened, most frequent first. */
export function useEventNames(): string[] {
  const [{ data }] = useRead({ query: EventNamesDocument })
  return data?.eventNames ?? []
}
