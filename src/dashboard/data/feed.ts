import { useCallback, useEffect, useEffectEvent, useReducer } from 'react'
import { useClient } from 'urql'
import { ActivityDocument, type ActivityItemFragment, type ActivityType } from '../graphql/graphql.ts'
import { type Problem, problemOf } from './failures.ts'
import { useArrivals } from './project.tsx'

/** What the feed is narrowed to. */
export interface FeedFilter {
  types?: ActivityType[] | undefined
  contact?: string | undefined
  campaign?: string | undefined
}

/** The feed: what happened, newest first. */
export interface Feed {
  items: ActivityItemFragment[]
  /** How many have arrived and are not shown yet, because the feed is paused. */
  held: number
  loading: boolean
  problem: Problem | undefined
  hasMore: boolean
  /** Reads what happened before. */
  more(): void
  /** Shows what was held back. */
  release(): void
  retry(): void
}

interface State {
  items: ActivityItemFragment[]
  held: ActivityItemFragment[]
  cursor: string | null
  hasMore: boolean
  loading: boolean
  problem?: Problem | undefined
}

type Change =
  | { kind: 'begin' }
  | { kind: 'wait' }
  | { kind: 'read'; items: ActivityItemFragment[]; cursor: string | null; hasMore: boolean }
  | { kind: 'arrived'; items: ActivityItemFragment[]; isPaused: boolean }
  | { kind: 'released' }
  | { kind: 'failed'; problem: Problem }

// Beyond that what is oldest is dropped from memory: it can be read again.
const maxItems = 5_000
const empty: State = { items: [], held: [], cursor: null, hasMore: false, loading: true }

/** Reads the feed and goes on with what arrives. While it is paused, arrivals are counted and held back. */
export function useFeed(filter: FeedFilter, { isPaused = false, pageSize = 100 }: { isPaused?: boolean; pageSize?: number } = {}): Feed {
  const client = useClient()
  const [state, change] = useReducer(reduce, empty)
  const { types, contact, campaign } = filter
  const key = JSON.stringify(filter)
  const read = useEffectEvent(async (after: string | null, isCurrent: () => boolean) => {
    const variables = { filter: { types, contactId: contact, campaignId: campaign }, first: pageSize, after }
    const { data, error } = await client.query(ActivityDocument, variables, { requestPolicy: 'network-only' })
    if (!isCurrent()) return
    if (error) return change({ kind: 'failed', problem: problemOf(error) })
    const { nodes = [], pageInfo } = data?.activity ?? {}
    change({ kind: 'read', items: nodes, cursor: pageInfo?.endCursor ?? null, hasMore: pageInfo?.hasNextPage ?? false })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter is another feed
  useEffect(() => {
    let isCurrent = true
    change({ kind: 'begin' })
    void read(null, () => isCurrent)
    return () => {
      isCurrent = false
    }
  }, [key, client])
  useArrivals((arrived) => {
    const items = arrived.filter((item) => isWanted(item, filter))
    if (items.length > 0) change({ kind: 'arrived', items, isPaused })
  })
  const more = useCallback(() => {
    if (state.loading || !state.hasMore) return
    change({ kind: 'wait' })
    void read(state.cursor, () => true)
  }, [state.loading, state.hasMore, state.cursor])
  const retry = useCallback(() => {
    change({ kind: 'wait' })
    void read(state.cursor, () => true)
  }, [state.cursor])
  const release = useCallback(() => change({ kind: 'released' }), [])
  const { items, held, loading, problem, hasMore } = state
  return { items, held: held.length, loading, problem, hasMore, more, release, retry }
}

function reduce(state: State, change: Change): State {
  switch (change.kind) {
    case 'begin':
      return empty
    case 'wait':
      return { ...state, loading: true, problem: undefined }
    case 'failed':
      return { ...state, loading: false, problem: change.problem }
    case 'read':
      return { ...state, loading: false, cursor: change.cursor, hasMore: change.hasMore, items: union(state.items, change.items) }
    case 'arrived': {
      const newest = change.items.toReversed()
      if (change.isPaused) return { ...state, held: union(newest, state.held) }
      return { ...state, items: union(newest, state.held, state.items).slice(0, maxItems), held: [] }
    }
    case 'released':
      return { ...state, items: union(state.held, state.items).slice(0, maxItems), held: [] }
  }
}

// Each once: what arrives while a page is read may be in both.
function union(...lists: ActivityItemFragment[][]): ActivityItemFragment[] {
  return [...new Map(lists.flat().map((item) => [item.id, item])).values()]
}

function isWanted(item: ActivityItemFragment, { types, contact, campaign }: FeedFilter): boolean {
  if (types && !types.includes(item.type)) return false
  if (contact !== undefined && item.contactId !== contact) return false
  return campaign === undefined || item.campaign?.id === campaign
}
