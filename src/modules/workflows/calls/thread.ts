import { CpuBudget, TemplateFailure } from '../../../kit/liquid.ts'
import type { OutboundRequest } from '../../../kit/outbound.ts'
import { answering, threadData } from '../../../kit/threads.ts'
import { type RequestDraft, renderRequest } from './render.ts'

/** A request to render. */
export interface RequestTask {
  draft: RequestDraft
  scope: Record<string, unknown>
  budgetMs: number
}

/** A rendered request, or why there is none, as a sentence. */
export type RequestAnswer = { kind: 'rendered'; request: OutboundRequest } | { kind: 'failed'; reason: string }

const { onSection } = threadData<object>()

/** Renders requests of webhooks. */
export const renderRequests = answering(renderOne)

function renderOne({ draft, scope, budgetMs }: RequestTask): RequestAnswer {
  try {
    return { kind: 'rendered', request: renderRequest(draft, scope, new CpuBudget(budgetMs, onSection)) }
  } catch (error) {
    if (error instanceof TemplateFailure) return { kind: 'failed', reason: error.message }
    throw error
  }
}
