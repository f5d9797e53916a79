import type { OperationResult } from '@urql/core'
import { useEffect, useState } from 'react'
import { useClient } from 'urql'
import { SegmentChoicesDocument, type SegmentChoicesQuery } from '../../../graphql/graphql.ts'

type Segment = SegmentChoicesQuery['segments']['nodes'][number]

/** All segments of the project, at most 500, once they are known. */
export function useSegments(): Segment[] | undefined {
  const client = useClient()
  const [segments, setSegments] = useState<Segment[]>()
  useEffect(() => {
    let ended = false
    const read = async () => {
      const found: Segment[] = []
      for (let after: string | null | undefined = null; after !== undefined && !ended; ) {
        const answer: OperationResult<SegmentChoicesQuery> = await client.query(SegmentChoicesDocument, { after })
        const { nodes = [], pageInfo } = answer.data?.segments ?? {}
        found.push(...nodes)
        after = pageInfo?.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined
      }
      if (!ended) setSegments(found)
    }
    void read()
    return () => {
      ended = true
    }
  }, [client])
  return segments
}
