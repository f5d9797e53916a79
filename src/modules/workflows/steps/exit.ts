import { z } from 'zod'
import { Text } from '../../../kit/shapes.ts'
import { kind } from './kind.ts'

const maxReasonLength = 200
const defaultReason = 'exit_step'

const config = z.object({
  // Shown as the reason of the execution.
  reason: Text.max(maxReasonLength).optional(),
})

/** Ends the execution: nothing comes after it. */
export const exit = kind({
  label: 'Exit',
  meaning: 'Ends the execution.',
  parts: '`reason`: why it ends, at most 200 characters; default `exit_step`',
  output: 'nothing that programs need',
  config,
  exits: () => [],
  missing: () => null,
  run: async ({ step }) => ({ kind: 'exit', reason: step.config.reason ?? defaultReason }),
})
