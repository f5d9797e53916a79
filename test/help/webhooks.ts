import type { Ctx } from '../../src/kit/context.ts'
import { upsertContact } from '../../src/modules/contacts/contacts.ts'
import { getWorkflowExecution } from '../../src/modules/workflows/executions/executions.ts'
import { startWorkflowExecution } from '../../src/modules/workflows/executions/start.ts'
import { drawn, enable, lead, step } from './workflows.ts'

/** An execution of a workflow that calls a webhook and ends with the reason `done`, or `lost` behind its branch `error`. */
export interface Hooked {
  ctx: Ctx
  id: string
  executionId: string
  contactId: string
}

interface HookedPlan {
  /** Without it a webhook that cannot be delivered fails the execution. */
  errorBranch?: boolean
  context?: Record<string, unknown>
  data?: Record<string, unknown>
}

/** Starts one for a new contact. */
export async function hooked(
  ctx: Ctx,
  config: Record<string, unknown>,
  { errorBranch = false, context, data = {} }: HookedPlan = {},
): Promise<Hooked> {
  const { id } = await drawn(ctx)
  const call = await step(ctx, { id }, { type: 'WEBHOOK', config })
  await lead(ctx, { id }, call, await step(ctx, { id }, { config: { reason: 'done' } }))
  if (errorBranch) await lead(ctx, { id }, call, await step(ctx, { id }, { config: { reason: 'lost' } }), 'error')
  await enable(ctx, { id })
  return start(ctx, { id }, { context, data })
}

let nth = 0

/** Starts an execution of a workflow for a new contact. */
export async function start(
  ctx: Ctx,
  { id }: { id: string },
  { context, data = {} }: { context?: Record<string, unknown> | undefined; data?: Record<string, unknown> } = {},
): Promise<Hooked> {
  const contact = await upsertContact(ctx, { email: `ada${++nth}@example.com`, data } as Parameters<typeof upsertContact>[1])
  const { id: executionId } = await startWorkflowExecution(ctx, { id, contactId: contact.id, context })
  return { ctx, id, executionId, contactId: contact.id }
}

/** How an execution is, and what its webhook did. */
export async function seen({ ctx, id, executionId }: Hooked) {
  const { status, exitReason, stepExecutions } = await getWorkflowExecution(ctx, { id, executionId })
  const [did] = stepExecutions
  if (!did) throw new Error('The webhook was not begun')
  return { status, exitReason, did, output: did.output as Record<string, unknown> & { attempts: Record<string, unknown>[] } }
}
