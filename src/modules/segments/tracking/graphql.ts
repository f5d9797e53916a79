import { builder, payloadOf } from '../../../kit/builder.ts'
import { ById } from '../../../kit/shapes.ts'
import { graphqlInput } from '../../../kit/zod-input.ts'
import { refreshSegment } from '../count.ts'
import { Segment, scan } from '../graphql.ts'
import { getSegment } from '../segments.ts'
import type { Computed } from '../shapes.ts'
import { computeSegment } from './compute.ts'

const computation = graphqlInput('ComputeSegmentInput', ById)
const refreshing = graphqlInput('RefreshSegmentInput', ById)

interface Changed {
  /** Of the segment. */
  id: string
}
const ComputeSegmentPayload = payloadOf<Changed & Computed>('ComputeSegmentPayload', (t) => ({
  segment: t.field({
    type: Segment,
    description: 'The segment as it is now.',
    resolve: ({ id }, _args, ctx) => getSegment(ctx, { id }),
  }),
  added: t.exposeInt('added', { description: 'How many contacts entered.' }),
  removed: t.exposeInt('removed', { description: 'How many contacts left.' }),
  total: t.exposeInt('total', { description: 'How many members it has now.' }),
}))
const RefreshSegmentPayload = payloadOf<Changed>('RefreshSegmentPayload', (t) => ({
  segment: t.field({
    type: Segment,
    description: 'The segment as it is now, with its count.',
    resolve: ({ id }, _args, ctx) => getSegment(ctx, { id }),
  }),
}))

builder.mutationFields((t) => ({
  computeSegment: t.field({
    type: ComputeSegmentPayload,
    description:
      'Computes the members of a tracked segment and logs who entered and who left, as workers do every 5 minutes. Fails with RESOURCE_NOT_FOUND, and with CONFLICT when it is not tracked, or when it, or a segment that its condition leads to, is being computed or changed.',
    extensions: { ...scan, waits: true },
    args: computation.args(t),
    resolve: async (_parent, args, ctx) => {
      const { id } = computation.read(args)
      return { id, ...(await computeSegment(ctx, { id })) }
    },
  }),
  refreshSegment: t.field({
    type: RefreshSegmentPayload,
    description: 'Counts the members of a segment again; logs nothing and changes no membership. Fails with RESOURCE_NOT_FOUND.',
    extensions: scan,
    args: refreshing.args(t),
    resolve: async (_parent, args, ctx) => {
      const { id } = refreshing.read(args)
      await refreshSegment(ctx, { id })
      return { id }
    },
  }),
}))
