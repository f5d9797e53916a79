import { topic } from '../../kit/notices.ts'

/** Notices of projects that have executions which are due: the workers look at once. */
export const dueExecutionsTopic = topic('workflow-executions-due')

/** Notices of projects whose executions have changed, for those who watch one. */
export const executionsTopic = topic('workflow-executions')

/** Notices of projects that have webhooks to call: the workers look at once. */
export const dueCallsTopic = topic('workflow-calls-due')

/** Notices of projects that have events which may start, end or wake executions: the workers handle them at once. */
export const dueLinesTopic = topic('workflow-lines-due')
