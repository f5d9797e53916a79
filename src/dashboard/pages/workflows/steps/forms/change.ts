import type { ReactNode } from 'react'
import type { Problem } from '../../../../data/failures.ts'
import type { EditedWorkflowFragment, WorkflowStepItemFragment } from '../../../../graphql/graphql.ts'

/** What a form of a step means: a config, or why it cannot be saved. */
export type Change = { config: Record<string, unknown>; templateId?: string | null } | { wrong: string }

/** What the fields of a kind of steps are given. */
export interface ConfigFormProps {
  step: WorkflowStepItemFragment
  workflow: EditedWorkflowFragment
  problem: Problem | undefined
  onChange(change: Change): void
}

/** The fields of a kind of steps. */
export type ConfigForm = (props: ConfigFormProps) => ReactNode
