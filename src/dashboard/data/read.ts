import type { AnyVariables, CombinedError } from '@urql/core'
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { type UseQueryArgs, type UseQueryResponse, useQuery } from 'urql'
import { isSignedOut, problemOf } from './failures.ts'

const againMs = 5_000

/**
 * A query of a page, as useQuery of urql, whose answer stays when reading it again fails because the server cannot be reached or the session
 * has ended: then it is `stale`, the page says so (see useIsOutdated), and it is read again every 5 seconds and as soon as the browser is online.
 */
export function useRead<Data, Variables extends AnyVariables>(args: UseQueryArgs<Variables, Data>): UseQueryResponse<Data, Variables> {
  const [state, ask] = useQuery<Data, Variables>(args)
  const key = state.operation?.key
  const [last, setLast] = useState<{ key: number | undefined; data: Data }>()
  if (state.data !== undefined && (last?.data !== state.data || last.key !== key)) setLast({ key, data: state.data })
  const isUnreachable = state.error !== undefined && isTemporary(state.error)
  const isMissing = state.data === undefined && (isUnreachable || (state.fetching && !state.error))
  const old = isMissing && last !== undefined && last.key === key ? last.data : undefined
  const isOld = old !== undefined
  const again = useEffectEvent(() => ask({ requestPolicy: 'network-only' }))
  useEffect(() => {
    if (!isOld) return
    const forget = outdated.add()
    const timer = setInterval(() => !document.hidden && again(), againMs)
    addEventListener('online', again)
    return () => {
      forget()
      clearInterval(timer)
      removeEventListener('online', again)
    }
  }, [isOld])
  return [old === undefined ? state : { ...state, data: old, error: undefined, stale: true }, ask]
}

// Whoever has signed in again goes on where they were.
function isTemporary(error: CombinedError): boolean {
  return (error.networkError !== undefined && error.graphQLErrors.length === 0) || isSignedOut(problemOf(error))
}

// How many answers on the page are old.
const outdated = {
  count: 0,
  listeners: new Set<() => void>(),
  add(): () => void {
    this.change(1)
    return () => this.change(-1)
  },
  change(by: number): void {
    this.count += by
    for (const listener of this.listeners) listener()
  },
}

/** Whether something that is shown could not be read again, and may be out of date. */
export function useIsOutdated(): boolean {
  const count = useSyncExternalStore(listen, () => outdated.count)
  return count > 0
}

function listen(listener: () => void): () => void {
  outdated.listeners.add(listener)
  return () => void outdated.listeners.delete(listener)
}
