import type { ExecutionQuery } from '../../../graphql/graphql.ts'

/** An execution that exists. */
export type FoundExecution = NonNullable<ExecutionQuery['workflowExecution']>
